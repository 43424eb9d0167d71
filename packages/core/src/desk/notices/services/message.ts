import type { Invocation } from "../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { severityOf, weightOf } from "../../../fleet/alerts/rules/severity.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { noticeCollection, problemCollection } from "../collection.ts";
import type { Notice, Problem } from "../model.ts";
import { flapOf, latestOf } from "../rules/problem/facts.ts";
import { type Content, contentOf, type Entry, listed, MAX_LISTED } from "../rules/texts/content.ts";
import { type HoldsBack, holdsBackText } from "../rules/texts/holds-back.ts";
import type { Preset } from "../rules/texts/presets.ts";
import { lateText, type Times, timesIn } from "../rules/texts/words.ts";
import { heldBackBy } from "./held-back.ts";
import { placeNames } from "./place-names.ts";
import { receiverOf } from "./receiver-of.ts";

/** A notice as the ways of telling need it. */
export interface Message {
  readonly text: string;
  /** Client location: "#Alerts?id=a1". */
  readonly loc: string;
  /** What templates and web hooks see. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What bodies for services are made of. */
  readonly preset: Omit<Preset, "settings">;
  readonly holdsBack: HoldsBack | undefined;
  /** Markdown of a mail; absent = the mail of one alert. */
  readonly body?: string;
}

type Deps = Pick<Cradle, "alerts" | "clock" | "config" | "definitions" | "snapshot">;

/** The text is made at the attempt, so that it tells the state of then. Undefined when all firings of the notice are gone. */
export async function messageOf(deps: Deps, notice: Notice): Promise<Message | undefined> {
  const found = await entriesOf(deps, notice);
  const [lead] = found;
  if (!lead) return undefined;
  const isEnd = notice.kind === "cleared";
  const base = await deps.alerts.hookData(lead.found, isEnd ? { condition: "alert_cleared" } : {});
  if (!base) return undefined;
  const entries = found.map(({ found: _found, late: _late, ...entry }) => entry);
  const { name: product } = deps.config.client;
  const content = contentOf(notice.kind, notice.severity, entries, product);
  const missed = await missedBy(deps, notice);
  const holdsBack = await deps.snapshot((tx) => heldBackBy(tx, deps, liveOf(found)));
  const held = holdsBack && holdsBackText(holdsBack);
  const around = (words: string): string => sentence(missed, words, held);
  // One firing alone is told in the words that alerts are told in.
  const isPlain = found.length === 1 && (notice.kind === "firing" || isEnd) && missed === undefined;
  const late = lead.late === undefined ? undefined : `(${lead.late})`;
  const text = around(isPlain ? sentence(base["text"], late) : content.text);
  const nice_message = sentence(base["nice_message"], late, held);
  const told = shared(notice, entries, { ...content, text: around(content.text) });
  const data = { ...base, nice_message, text, content: text, message: text, ...told(holdsBack) };
  const preset = { notice, entries, subject: content.subject, link: lead.link, product, ...(held ? { held } : {}) };
  const body = isPlain ? {} : { body: content.body };
  return { text, loc: `#Alerts?id=${lead.invocation}`, data, preset, holdsBack, ...body };
}

/** What there is of it. */
const sentence = (...words: readonly unknown[]): string => words.filter((each) => each !== undefined).join(" ");

const liveOf = (found: readonly Found[]): string[] =>
  found.flatMap(({ state, invocation }) => (state === "over" ? [] : [invocation]));

/** Who was to hear of it first. */
async function missedBy(deps: Deps, { in_place_of: id }: Notice): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const original = await deps.snapshot((tx) => tx.collection(noticeCollection).get(id));
  const receiver = original?.receiver ?? "";
  return `${receiverOf(deps, receiver)?.title ?? receiver} could not be reached.`;
}

const shared =
  ({ id, problem, kind, seq, severity }: Notice, entries: readonly Entry[], content: Content) =>
  (holdsBack: HoldsBack = { count: 0, titles: [] }): Record<string, unknown> => ({
    alerts: entries.slice(0, MAX_LISTED),
    notice: {
      ...{ id, problem, kind, seq, severity, count: entries.length, more: content.more, holds_back: holdsBack },
      ...{ subject: content.subject, lead: content.text, link: entries[0]?.link ?? "" },
    },
  });

type Found = Entry & {
  readonly found: Invocation;
  /** What kept everybody quiet about it, and until when. */
  readonly late?: string;
};

async function entriesOf({ alerts, clock, config, snapshot }: Deps, notice: Notice): Promise<Found[]> {
  const { named, invocations, nameOf } = await snapshot(async (tx) => {
    const named = namedBy(notice, await tx.collection(problemCollection).get(notice.problem));
    const found = await tx.collection(invocationRecords).getMany(named.map(({ invocation }) => invocation));
    const known = found.flatMap((each) => each ?? []);
    return { named, invocations: found, nameOf: await placeNames(tx, alerts, known) };
  });
  const baseUrl = config.base_app_url.replace(/\/+$/, "");
  const times = timesIn(config.tz, Math.floor(clock.now()));
  const entries = named.flatMap((each, at): Found[] => {
    const found = invocations[at];
    const alert = found && alerts.definition(found.alert);
    if (!found || !alert) return [];
    const { id: invocation, server, subject, date: since } = found;
    const link = `${baseUrl}/#Alerts?id=${invocation}`;
    const nice_server = nameOf(found);
    return [
      {
        invocation,
        title: alert.title,
        server,
        nice_server,
        noun: subject?.type ?? "server",
        state: each.state,
        message: messageWith(found, each, times),
        ...(each.late ? { late: lateText(each.late, times) } : {}),
        severity: severityOf(alert, subject),
        since,
        link,
        found,
      },
    ];
  });
  return listed(entries, weightOf) as Found[];
}

const STATES = ["new", "repeated", "over", "still"] as const;

/** A firing that flaps says how often, and one that was kept quiet until when. */
function messageWith({ message }: Invocation, { flap, late }: Named, times: Times): string {
  const said = flap ? `fired ${flap.count} times: ${message}` : message;
  return late ? `${said} (${lateText(late, times)})` : said;
}

type Named = ReturnType<typeof namedBy>[number];

/** What a notice names; of a firing that flaps the newest invocation. */
function namedBy(notice: Notice, problem: Problem | undefined) {
  const members = new Map(problem?.members.map((member) => [member.invocation, member]));
  return STATES.flatMap((state) =>
    notice[state].map((id) => {
      const member = members.get(id);
      const flap = member && flapOf(member) !== undefined ? member.flap : undefined;
      const late = state === "new" ? member?.late : undefined;
      return { invocation: member ? latestOf(member) : id, state, flap, late };
    }),
  );
}

/** The message with the address that acknowledges what it names. */
export function withAckLink(message: Message, url: string | undefined): Message {
  if (url === undefined) return message;
  const data = { ...message.data, notice: { ...Object(message.data["notice"]), ack_url: url } };
  return { ...message, data, preset: { ...message.preset, ackUrl: url } };
}
