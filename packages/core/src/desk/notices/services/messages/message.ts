import type { Notification } from "../../../../fleet/alerts/model.ts";
import { weightOf } from "../../../../fleet/alerts/rules/definition/severity.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Notice } from "../../model.ts";
import { unreachedText } from "../../rules/delivery/fallback.ts";
import { lastText } from "../../rules/delivery/last-in-hour.ts";
import { endsApart } from "../../rules/texts/apart.ts";
import {
  type Content,
  contentOf,
  type Entry,
  leadEntry,
  MAX_LISTED,
  textKey,
  whyOf,
} from "../../rules/texts/content.ts";
import { type HoldsBack, holdsBackText } from "../../rules/texts/holds-back.ts";
import type { Preset } from "../../rules/texts/presets.ts";
import { timesIn } from "../../rules/texts/words.ts";
import { receiverOf } from "../receivers/receiver-of.ts";
import { chainOf } from "../sending/fallback.ts";
import { entriesOf, type Found, NO_DATA } from "./entries.ts";
import { heldBackBy } from "./held-back.ts";

/** A notice in the form that the ways to receivers need. */
export interface Message {
  readonly text: string;
  /** Client location: "#Alerts?id=a1". */
  readonly loc: string;
  /** Data for templates and web hooks. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Data for the bodies of services. */
  readonly preset: Omit<Preset, "settings">;
  readonly holdsBack: HoldsBack | undefined;
  /** Markdown of a mail; absent = the mail of one alert. */
  readonly body?: string;
}

export interface Composed extends Message {
  /** Id of the firing that represents all of them. */
  readonly lead: string;
}

type Deps = Pick<Cradle, "alerts" | "clock" | "config" | "definitions" | "expressions" | "snapshot">;

/**
 * Composes the text at the time of the attempt, so that it describes the current state. Undefined if all firings of the notice
 * are gone.
 */
export async function messageOf(deps: Deps, notice: Notice): Promise<Composed | undefined> {
  const { found, gone, firstTold } = await entriesOf(deps, notice);
  const { name: product } = deps.config.client;
  if (found.length === 0 && gone.length > 0)
    return { ...endsApart({ notice, entries: gone, product, baseUrl: deps.config.base_app_url }), lead: "" };
  const lead = leadEntry(found, weightOf);
  const base = lead && (await deps.alerts.hookData(lead.found, aboutOf(deps, notice, lead)));
  if (!base) return undefined;
  const entries = [...found.map(({ found: _found, def: _def, late: _late, ...entry }) => entry), ...gone];
  const head = headOf(notice);
  const content = contentOf({ ...notice, head }, entries, product);
  const missed = await missedBy(deps, notice);
  const holdsBack = await deps.snapshot((tx) => heldBackBy(tx, deps, liveOf(found)));
  const held = holdsBack && holdsBackText(holdsBack);
  const last = notice.last && lastText(notice.last, timesIn(deps.config.tz, Math.floor(deps.clock.now())));
  // A notice about a single firing uses the words of alerts.
  const key = textKey(notice.kind, entries.length, notice.action !== undefined);
  const isPlain = key === undefined && missed === undefined && isUsual(notice, lead);
  const template = isToldByTemplate(notice, found) ? key : undefined;
  const late = lead.late === undefined ? undefined : `(${lead.late})`;
  const shown = { ...base, ...shared(notice, { found, gone, content, lead, firstTold, holdsBack }) };
  const said = isPlain ? sentence(base["text"], late) : worded(deps, template, shown, content);
  const text = sentence(missed, said, held, last);
  const nice_message = sentence(base["nice_message"], late, held, last);
  const told = { ...shown.notice, lead: text };
  const data = { ...shown, nice_message, text, content: text, message: text, notice: told };
  const listed = entries.slice(0, notice.most);
  const list = { entries: listed, more: entries.length - listed.length, link: lead.link, subject: content.subject };
  const preset = { notice, ...list, product, above: head, below: sentence(held, last) || undefined };
  const body = isPlain ? {} : { body: content.body };
  const loc = `#Alerts?id=${lead.invocation}`;
  return { text, loc, lead: lead.invocation, data, preset, holdsBack, ...body };
}

/** Circumstances that change the wording of an alert. */
function aboutOf({ config }: Deps, { kind }: Notice, { found }: Found): Partial<Notification> {
  if (kind === "repeat") return { round: 1 };
  if (kind !== "cleared") return {};
  return { condition: "alert_cleared", ...(found.stale && config.alert_stale_actions ? { stale: true } : {}) };
}

/** Whether the wording of alerts fits: for actions, for ends by a sample, and for ends for missing data. */
const isUsual = ({ action }: Notice, { ended_by }: Found): boolean =>
  action !== undefined || ended_by === undefined || ended_by === NO_DATA;

/** Text by the configured template if there is one, else the built-in text. */
function worded({ config, expressions }: Deps, key: string | undefined, data: object, content: Content): string {
  const template = key === undefined ? undefined : config.hook_text_templates[key];
  if (template === undefined) return content.text;
  const said = expressions.compileTemplate(template).expand({ ...data }, { undefinedText: "n/a" });
  return `${config.client.name} ${said}`;
}

/** Line of a notice above its firings. */
function headOf({ acknowledged, hand_over }: Notice): string | undefined {
  if (hand_over) return "You are on duty now";
  return acknowledged && `${acknowledged.who} is on it${acknowledged.comment ? `: ${acknowledged.comment}` : ""}`;
}

/**
 * Whether a template can describe the notice: templates know no acknowledgements, hand-overs, brief firings, or digests of ends.
 */
const isToldByTemplate = (notice: Notice, found: readonly Found[]): boolean =>
  headOf(notice) === undefined &&
  notice.brief === undefined &&
  (notice.kind !== "digest" || found.some(({ state }) => state !== "over"));

/** Joins the given words and leaves out absent ones. */
const sentence = (...words: readonly unknown[]): string => words.filter((each) => each !== undefined).join(" ");

const liveOf = (found: readonly Found[]): string[] =>
  found.flatMap(({ state, invocation }) => (state === "over" ? [] : [invocation]));

/** Text that names the receivers which the notice did not reach first. */
async function missedBy(deps: Deps, notice: Notice): Promise<string | undefined> {
  if (notice.in_place_of === undefined) return undefined;
  const chain = await deps.snapshot((tx) => chainOf(tx, notice));
  return unreachedText(chain.slice(0, -1).map((id) => receiverOf(deps, id)?.title ?? id));
}

interface Shown {
  readonly found: readonly Found[];
  readonly gone: readonly Entry[];
  readonly content: Content;
  readonly lead: Found;
  readonly firstTold: number | undefined;
  readonly holdsBack: HoldsBack | undefined;
}

/** Data of a notice for templates, in addition to the data of its lead (docs/contract/notices.md#template-data). */
function shared(
  notice: Notice,
  { found, gone, content, lead, firstTold, holdsBack = { count: 0, titles: [] } }: Shown,
) {
  const { id, problem, kind, seq, severity, acknowledged, last, most = MAX_LISTED } = notice;
  const { more, names, subject, text } = content;
  const known = found.slice(0, most).map(({ found: alert, late: _late, ...entry }) => {
    const about = alert.subject ?? { type: "server", id: alert.server, title: entry.nice_server };
    return { ...entry, alert, subject: about };
  });
  const alerts = [...known, ...gone].slice(0, most);
  return {
    alerts,
    notice: {
      id,
      problem,
      kind,
      seq,
      severity,
      count: found.length + gone.length,
      more,
      names,
      holds_back: holdsBack,
      subject,
      lead: text,
      link: lead.link,
      why: whyOf(notice),
      ...(firstTold === undefined ? {} : { first_told: firstTold }),
      ...(acknowledged ? { acknowledged: { who: acknowledged.who, comment: acknowledged.comment } } : {}),
      ...(last ? { last } : {}),
    },
  };
}

/** Adds the address that acknowledges the firings of the message. */
export function withAckLink<M extends Message>(message: M, url: string | undefined): M {
  if (url === undefined) return message;
  const data = { ...message.data, notice: { ...Object(message.data["notice"]), ack_url: url } };
  return { ...message, data, preset: { ...message.preset, ackUrl: url } };
}
