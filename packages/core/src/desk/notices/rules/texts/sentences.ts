import type { NoticeHold, Standpoint } from "../../model.ts";

export interface Telling {
  /** Title of the receiver. */
  readonly receiver: string;
  /** Firings of the notice, itself included. */
  readonly count: number;
  /** Attempts that the notice took. */
  readonly attempts: number;
  /** What the way it went said. */
  readonly result: string;
  readonly isPending: boolean;
  /** A time of the day, as the caller's clock shows it. */
  readonly clock: (seconds: number) => string;
}

/** One sentence: what was decided about a firing and a receiver, and why. */
export function sentenceOf(
  { verdict, by, from }: Pick<Standpoint, "verdict" | "by" | "from">,
  telling: Telling,
): string {
  const { receiver, clock } = telling;
  if (verdict === "told") return toldSentence(from, telling);
  if (verdict === "failed") return `Not delivered to ${receiver}: ${telling.result || "no answer"}.`;
  if (!by) return `Nothing was decided for ${receiver}.`;
  if (verdict === "none") return endSentence(by, receiver);
  const until = by.until === undefined ? "" : ` until ${clock(by.until)}`;
  return heldSentence(by, { receiver, until });
}

function toldSentence(from: number, { receiver, count, attempts, isPending, clock }: Telling): string {
  const others = count > 1 ? ` in one notice with ${count - 1} ${count === 2 ? "other" : "others"}` : "";
  const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
  if (isPending) return `On its way to ${receiver} since ${clock(from)}${others}.`;
  return `Told to ${receiver} at ${clock(from)}${others}${tries}.`;
}

function endSentence({ kind, id, title }: NoticeHold, receiver: string): string {
  switch (kind) {
    case "no_route":
      return "Nobody is told: no route matches it.";
    case "brief":
      return `Ended before ${receiver} was told (${title}), so no all-clear is sent.`;
    case "acknowledgement":
      return `Its end is not told to ${receiver}: ${id} acknowledged it.`;
    case "clear_none":
      return `Its end is not told to ${receiver}: the route tells of no ends.`;
    default:
      return `Its end is not told to ${receiver}: ${title || kind}.`;
  }
}

interface Held {
  readonly receiver: string;
  /** " until 14:03", or nothing. */
  readonly until: string;
}

/** By the kind of the hold; each is a whole sentence. */
const HELD: Readonly<Record<NoticeHold["kind"], (by: NoticeHold, held: Held) => string>> = {
  delay: ({ title }) => `Not told yet: ${title}.`,
  flapping: ({ title }) => `Not told by itself, because it is part of a flapping that is told as one: ${title}.`,
  dependency: ({ id, title }) =>
    id === "" ? `Held: ${title}.` : `Held because ${title} is firing, and this depends on it.`,
  inhibition: ({ title }) => `Not told: "${title}" is firing on its server and says more.`,
  acknowledgement: ({ id, title }) => `Not told: ${id} acknowledged it${title === "" ? "" : `: "${title}"`}.`,
  snooze: (_by, { until }) => `Not told: all alerts are snoozed${until}.`,
  silence: ({ title }) => `Not told: silence "${title}"; it will be told then if it is still firing.`,
  job: ({ id, title }) => `Not told: job ${id} (${title}) keeps its server quiet while it runs.`,
  no_route: (_by, { receiver }) => `Not told to ${receiver}: its route is disabled or gone.`,
  hours: ({ title }) => `Waits for the hours of route "${title}".`,
  digest: (_by, { receiver }) => `Waits for the digest of its route, then ${receiver} is told if it is still firing.`,
  grouping: (_by, { receiver, until }) => `Waits for others like it${until}, then ${receiver} is told.`,
  rate: (_by, { receiver, until }) => `Waits: ${receiver} has had its notices of the last hour; no room${until}.`,
  receiver: (_by, { receiver }) => `Not told: ${receiver} is disabled or gone.`,
  delivery: (_by, { receiver }) => `Not delivered to ${receiver}.`,
  brief: (_by, { receiver }) => `Ended before ${receiver} was told.`,
  clear_none: (_by, { receiver }) => `Its end is not told to ${receiver}.`,
  no_data: () =>
    "Its server fell silent, so nobody knows whether it goes on; told receivers hear of it when data return.",
};

const heldSentence = (by: NoticeHold, held: Held): string => HELD[by.kind](by, held);
