import type { Notice } from "../../model.ts";

/** A firing in the form that texts need. */
export interface Entry {
  readonly invocation: string;
  /** Title of the alert. */
  readonly title: string;
  readonly server: string;
  readonly nice_server: string;
  /** Id of the first group of the server. */
  readonly group?: string | undefined;
  /** Kind of the subject: "server", "event". */
  readonly noun: string;
  readonly state: "new" | "repeated" | "over" | "still" | "no data";
  readonly message: string;
  /** The cause of an end without a sample: "was disabled by ann". */
  readonly ended_by?: string | undefined;
  readonly severity: string;
  /** Unix seconds. */
  readonly since: number;
  readonly link: string;
}

/** Texts of a notice, before they take the form of a mail or a request. */
export interface Content {
  /** One line. */
  readonly text: string;
  readonly subject: string;
  /** Markdown with macros, for mails; it contains no text from machines. */
  readonly body: string;
  readonly more: number;
  /** Names of the first subjects, and the number of the others. */
  readonly names: string;
}

/** Maximum entries to list; the rest is only counted. */
export const MAX_LISTED = 100;
const MAX_NAMES = 5;

const HEADS: Readonly<Record<Notice["kind"], string>> = {
  firing: "Firing",
  update: "Also firing",
  repeat: "Still firing",
  flapping: "Flapping",
  settled: "Flapping no more",
  escalation: "Nobody has acknowledged",
  acknowledged: "Acknowledged",
  digest: "Digest",
  cleared: "Over",
  receiver_dead: "Not reached",
  receiver_back: "Reached again",
};

/** Sorts entries: new ones first, then by severity, worst first, then the oldest first. */
export function listed(entries: readonly Entry[], weightOf: (severity: string) => number): Entry[] {
  const order = { new: 0, repeated: 1, still: 2, "no data": 3, over: 4 };
  return entries.toSorted(
    (a, b) => order[a.state] - order[b.state] || weightOf(b.severity) - weightOf(a.severity) || a.since - b.since,
  );
}

/** The firing whose data templates see: the worst live one, then the oldest, then by id. */
export function leadEntry<E extends Pick<Entry, "state" | "severity" | "since" | "invocation">>(
  entries: readonly E[],
  weightOf: (severity: string) => number,
): E | undefined {
  const live = entries.filter(({ state }) => state !== "over" && state !== "no data");
  const before = (a: E, b: E): number => (a.invocation < b.invocation ? -1 : 1);
  return (live.length > 0 ? live : entries).toSorted(
    (a, b) => weightOf(b.severity) - weightOf(a.severity) || a.since - b.since || before(a, b),
  )[0];
}

/** Key of the template for the text of a notice; undefined = the wording of a single alert is used. */
export function textKey(kind: Notice["kind"], count: number, isAction: boolean): string | undefined {
  const isAlone = count === 1 && (kind === "firing" || kind === "cleared");
  // Notices of actions also use the wording of the alert for later news about a single server.
  if (isAlone || (isAction && count === 1 && (kind === "update" || kind === "repeat"))) return undefined;
  return `notice_${kind === "update" ? "firing" : kind}`;
}

/** The reason for a notice, in one sentence. */
export function whyOf({
  kind,
  new: fresh,
  over,
  hand_over,
}: Pick<Notice, "kind" | "new" | "over" | "hand_over">): string {
  switch (kind) {
    case "firing":
      return "This is the first notice about it.";
    case "update":
      return `Since the last notice ${fresh.length} began and ${over.length} ended.`;
    case "repeat":
      return "It is repeated while it is firing.";
    case "flapping":
      return "It comes and goes too often for a notice each time.";
    case "settled":
      return "It has stopped flapping.";
    case "escalation":
      return hand_over ? "Another person is on duty now." : "Nobody acknowledged it in time.";
    case "acknowledged":
      return "Somebody has acknowledged it.";
    case "digest":
      return "It is time for the digest.";
    case "cleared":
      return "Everything that was reported has ended.";
    case "receiver_dead":
      return "Notices to it do not arrive, so this receiver is told instead.";
    case "receiver_back":
      return "Notices to it arrive again.";
  }
}

export interface Said {
  readonly kind: Notice["kind"];
  readonly severity: string;
  /** Text that is more specific than the kind: "tom is on it". */
  readonly head?: string | undefined;
  /** Maximum entries in the list; absent = `MAX_LISTED`. */
  readonly most?: number | undefined;
}

/** Texts of a notice. `entries`: at least one, already in the order of `listed`. */
export function contentOf(said: Said, entries: readonly Entry[], product: string): Content {
  const { kind, severity, head = HEADS[kind], most = MAX_LISTED } = said;
  const isEnd = kind === "cleared";
  const going = isEnd ? [] : entries.filter(({ state }) => state !== "over");
  const ended = entries.filter(({ state }) => state === "over");
  const named = going.length === 0 ? ended : going;
  const { title, place, list, names } = namesOf(named);
  const message = going.length === 1 ? `: ${going[0]?.message}` : endingOf(named);
  const also = isEnd ? "" : overText(ended.length, going.length);
  const text = `${product} ${head}: ${title} on ${place}${names}${message}${also}: ${entries[0]?.link}`;
  const mark = going.length === 0 && kind === "digest" ? MARKS.cleared : (MARKS[kind] ?? severity);
  const more = Math.max(0, entries.length - most);
  const body = bodyOf(head, entries.slice(0, most), more);
  return { text, subject: `[${mark}] ${title} on ${place}`, body, more, names: list };
}

/** Marks in subjects, for kinds that replace the severity there. */
const MARKS: Readonly<Partial<Record<Notice["kind"], string>>> = { cleared: "cleared", acknowledged: "acknowledged" };

const overText = (over: number, going: number): string =>
  over === 0 ? "" : going === 0 ? " (over)" : ` (${over} over)`;

/**
 * Texts such as "Too hot", "30 servers", ": a, b and 28 more". With several alerts, the list also says which of them is where.
 */
function namesOf(named: readonly Entry[]) {
  const titles = [...new Set(named.map(({ title }) => title))];
  const places = [...new Set(named.map(({ nice_server }) => nice_server))];
  const nouns = [...new Set(named.map(({ noun }) => noun))];
  const title = titles.length === 1 ? titles[0] : `${titles.length} alerts`;
  const place = places.length === 1 ? places[0] : `${places.length} ${nouns.length === 1 ? nouns[0] : "subject"}s`;
  const each = titles.length === 1 ? places : named.map((one) => `${one.title} on ${one.nice_server}`);
  return { title, place, list: someOf(each), names: places.length > 1 ? `: ${someOf(places)}` : "" };
}

const someOf = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMES).join(", ") + (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "");

/** The cause of the end, if all entries have the same one. */
function endingOf(named: readonly Entry[]): string {
  const endings = [...new Set(named.map(({ ended_by = "" }) => ended_by))];
  return endings.length === 1 && endings[0] ? `: ${endings[0]}` : "";
}

/** Values are referred to by macros, so that texts from machines stay plain text. */
function bodyOf(head: string, entries: readonly Entry[], more: number): string {
  const lines = entries.map(
    (entry, at) =>
      `- **{{ alerts[${at}].nice_server }}** ({{ alerts[${at}].state }}): {{ alerts[${at}].title }}: {{ alerts[${at}].message }}${entry.ended_by === undefined ? "" : ` ({{ alerts[${at}].ended_by }})`}`,
  );
  return [
    "<!-- Subject: {{ notice.subject }} -->",
    `<!-- Title: ${head} -->`,
    "<!-- Button: View | {{ notice.link }} -->",
    "{{ notice.lead }}",
    "",
    ...lines,
    ...(more > 0 ? ["", `and ${more} more: {{ notice.link }}`] : []),
  ].join("\n");
}
