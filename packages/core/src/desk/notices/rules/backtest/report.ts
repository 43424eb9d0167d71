import * as z from "zod";
import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import { severityOf, weightOf } from "../../../../fleet/alerts/rules/definition/severity.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import type { Notice, Receiver } from "../../model.ts";
import { contentOf, type Entry, listed, MAX_LISTED } from "../texts/content.ts";
import type { PastFiring, PastNotice, Replayed } from "./replay.ts";

const Told = object(() => ({
  receiver: z.string(),
  title: z.string(),
  notices: z.number(),
  /** Number of notices, by kind. */
  kinds: z.record(z.string(), z.number()),
}));

/** Notices that would have been sent, and notices that were sent. Times are Unix seconds. */
export const PastReport = object(() => ({
  /** Notices, the first 1,000. */
  notices: z.array(
    z.object({
      date: z.number(),
      receiver: z.string(),
      route: z.string(),
      kind: z.string(),
      severity: z.string(),
      subject: z.string(),
      text: z.string(),
      new: z.array(z.string()),
      repeated: z.array(z.string()),
      over: z.array(z.string()),
      brief: z.array(z.string()).optional(),
      /** Titles of the first 100 alerts and subjects, with their states: new, repeated, over, still. */
      members: z.array(z.object({ invocation: z.string(), alert: z.string(), place: z.string(), state: z.string() })),
    }),
  ),
  by_receiver: z.array(Told),
  by_day: z.array(z.object({ day: z.string(), notices: z.number() })),
  /** By kind of hold: number of firings that it held back at some time. */
  held: z.record(z.string(), z.number()),
  /** Firings that no receiver would have been notified of, and the last hold of each; the first 1,000. */
  untold: z.array(
    z.object({
      invocation: z.string(),
      alert: z.string(),
      place: z.string(),
      from: z.number(),
      to: z.number().optional(),
      by: z.string(),
    }),
  ),
  /** Notices that were really sent in that time. */
  // biome-ignore lint/suspicious/noThenProperty: the name of the contract; a list cannot be taken for a promise
  then: z.array(Told),
  summary: z.string(),
  /** Number of firings in that time. */
  firings: z.number(),
  /** The replay stopped early, because there were more notices or looks than allowed. */
  truncated: z.boolean(),
  /** Paths that expressions read but whose values are not stored; alerts that read them keep their recorded firings. */
  unknown_paths: z.array(z.string()),
  from: z.number(),
  to: z.number(),
}));
export type PastReport = z.infer<typeof PastReport>;

/** The part of a firing that texts need. */
interface Happened extends Pick<Invocation, "server" | "subject" | "message"> {
  readonly alert: Alert;
  /** Unix seconds. */
  readonly fired: number;
}

interface Findings extends Replayed {
  readonly from: number;
  readonly to: number;
  readonly firings: readonly PastFiring[];
  readonly happened: ReadonlyMap<string, Happened>;
  readonly unknownPaths: readonly string[];
  /** Notices stored in that time. */
  readonly stored: readonly Notice[];
  readonly receivers: ReadonlyMap<string, Pick<Receiver, "title">>;
  readonly titleOf: (server: string) => string;
  readonly product: string;
  readonly timezone: string | undefined;
}

const MAX_SHOWN = 1000;

export function reportOf(findings: Findings): PastReport {
  const { from, to, firings, heldBy, receivers, stored, timezone, truncated } = findings;
  const notices = findings.notices.filter(({ date }) => date >= from);
  const meant = firings.filter((each) => each.from >= from);
  const sent = stored.filter(({ outcome }) => outcome === "sent");
  return {
    notices: notices.slice(0, MAX_SHOWN).map((notice) => shown(notice, findings)),
    by_receiver: byReceiver(notices, receivers),
    by_day: byDay(notices, timezone),
    held: heldCounts(meant, heldBy),
    untold: untoldOf(meant, findings).slice(0, MAX_SHOWN),
    // biome-ignore lint/suspicious/noThenProperty: as above
    then: byReceiver(sent, receivers),
    // Leaves out notices of actions, since a back-test does not cover them.
    summary: summaryOf(sent.filter(({ title }) => title === undefined).length, notices.length),
    firings: meant.length,
    truncated,
    unknown_paths: [...findings.unknownPaths],
    from,
    to,
  };
}

const summaryOf = (before: number, now: number): string =>
  `${before === 1 ? "This 1 notice" : `These ${before} notices`} would have been ${now === 1 ? "this 1" : `these ${now}`}.`;

function shown(notice: PastNotice, findings: Findings): PastReport["notices"][number] {
  const { date, receiver, route, kind, severity, new: fresh, repeated, over, brief } = notice;
  const lists = { new: [...fresh], repeated: [...repeated], over: [...over], ...(brief ? { brief: [...brief] } : {}) };
  const entries = entriesOf(notice, findings);
  const { subject, text } = contentOf(notice, entries, findings.product);
  const members = entries
    .slice(0, MAX_LISTED)
    .map(({ invocation, title, nice_server, state }) => ({ invocation, alert: title, place: nice_server, state }));
  return { date, receiver, route, kind, severity, subject, text, members, ...lists };
}

function entriesOf(notice: PastNotice, { happened, titleOf }: Findings): Entry[] {
  const entries = (["new", "repeated", "over", "still", "brief"] as const).flatMap((list) =>
    (notice[list] ?? []).flatMap((id): Entry[] => {
      const found = happened.get(id);
      if (!found) return [];
      const { alert, server, subject, message, fired } = found;
      const place = { server, nice_server: subject?.title ?? titleOf(server), noun: subject?.type ?? "server" };
      const state = list === "brief" ? "over" : list;
      const told = { invocation: id, title: alert.title, state, message, link: "" } as const;
      return [{ ...told, ...place, severity: severityOf(alert, subject), since: fired }];
    }),
  );
  return listed(entries, weightOf);
}

function byReceiver(
  notices: readonly Pick<Notice, "receiver" | "kind" | "title">[],
  receivers: Findings["receivers"],
): PastReport["by_receiver"] {
  const groups = [...Map.groupBy(notices, ({ receiver }) => receiver)];
  const all = groups.map(([receiver, own]) => {
    const kinds: Record<string, number> = {};
    for (const { kind } of own) kinds[kind] = (kinds[kind] ?? 0) + 1;
    return { receiver, title: receivers.get(receiver)?.title ?? own[0]?.title ?? receiver, notices: own.length, kinds };
  });
  return all.toSorted((a, b) => b.notices - a.notices);
}

function byDay(notices: readonly PastNotice[], timezone: string | undefined): PastReport["by_day"] {
  const zone = timezone === undefined ? {} : { timeZone: timezone };
  const format = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit", ...zone });
  const days = Map.groupBy(notices, ({ date }) => format.format(date * 1000));
  return [...days].map(([day, own]) => ({ day, notices: own.length }));
}

function heldCounts(firings: readonly PastFiring[], heldBy: Replayed["heldBy"]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { invocation } of firings)
    for (const kind of heldBy.get(invocation) ?? []) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Firings without a notice. Parts of a flapping episode are left out: the firing that began it was reported for them. */
function untoldOf(firings: readonly PastFiring[], { notices, heldBy }: Findings): PastReport["untold"] {
  const told = new Set(notices.flatMap((notice) => [...notice.new, ...(notice.brief ?? [])]));
  return firings.flatMap(({ invocation, from, to, firing: { alert, place } }) => {
    const by = [...(heldBy.get(invocation) ?? [])].at(-1) ?? "no_route";
    if (told.has(invocation) || by === "flapping") return [];
    return [{ invocation, alert, place, from, ...(to === undefined ? {} : { to }), by }];
  });
}
