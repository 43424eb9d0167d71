import { many, span, type Times, times } from "./words.ts";

interface Toward {
  /** Title of the receiver. */
  readonly receiver: string;
  readonly at: number;
}

interface InCompany extends Toward {
  /** Number of other firings that the notice named. */
  readonly others: number;
  /** "server" if one alert fired on each of them, otherwise "firing". */
  readonly noun: string;
}

interface Parent {
  /** Title of the alert. */
  readonly title: string;
  /** Name of the parent's subject. */
  readonly on: string;
}

/** Data of a sentence, by its kind. Times are Unix seconds, spans seconds. */
export interface Accounts {
  told: InCompany & { readonly attempts: number; readonly faults: readonly string[] };
  pending: InCompany;
  repeated: Toward & { readonly every: number; readonly next: number | undefined };
  escalated: Toward & { readonly after: number; readonly isRotaEmpty: boolean };
  over: Toward;
  failed: {
    readonly receiver: string;
    readonly result: string;
    readonly instead: (Toward & { readonly isMany: boolean }) | undefined;
  };
  uncertain: Toward;
  grouping: { readonly receiver: string; readonly until: number | undefined };
  delay: { readonly ago: number; readonly lasts: number };
  flapping: {
    readonly count: number;
    readonly within: number;
    readonly at: number | undefined;
    readonly quiet: number;
  };
  dependency: Parent & { readonly since: number | undefined; readonly place: string };
  parent: { readonly on: string; readonly wait: number };
  settling: Parent & { readonly ended: number | undefined; readonly at: number };
  settlingJob: { readonly job: string; readonly at: number };
  snooze: { readonly until: number | undefined };
  silence: { readonly title: string; readonly until: number | undefined; readonly by: string };
  acknowledgement: {
    readonly who: string;
    readonly at: number | undefined;
    /** Title of the receiver whose link was used to acknowledge; "" = no link was used. */
    readonly link: string;
    readonly comment: string;
    readonly isTold: boolean;
  };
  job: { readonly id: string; readonly title: string; readonly place: string };
  inhibition: { readonly title: string; readonly place: string };
  noRoute: { readonly severity: string; readonly tags: readonly string[] };
  hours: { readonly route: string; readonly opens: number | undefined };
  digest: { readonly receiver: string; readonly at: number | undefined };
  rate: { readonly receiver: string; readonly most: number; readonly until: number | undefined };
  brief: { readonly receiver: string; readonly at: number; readonly why: string };
  endWaits: { readonly receiver: string; readonly until: number | undefined };
  endUntold: { readonly receiver: string; readonly why: string };
  endsAlone: { readonly receiver: string };
  gone: { readonly receiver: string };
  offRoute: { readonly receiver: string };
  leftOut: { readonly receiver: string };
  noData: { readonly place: string };
}

export type Account = { [K in keyof Accounts]: { readonly kind: K } & Accounts[K] }[keyof Accounts];

const company = ({ others, noun }: InCompany): string =>
  others > 0 ? ` in one notice with ${many(others, `other ${noun}`)}` : "";

/** Text about earlier attempts, like " after 3 attempts (HTTP 503 twice)". */
function tries(attempts: number, faults: readonly string[]): string {
  if (attempts < 2) return "";
  const kinds = [...new Set(faults)].map((fault) => {
    const count = faults.filter((each) => each === fault).length;
    return count === 1 ? fault : `${fault} ${times(count)}`;
  });
  return ` after ${attempts} attempts${kinds.length > 0 ? ` (${kinds.join(", ")})` : ""}`;
}

type Say = { readonly [K in keyof Accounts]: (account: Accounts[K], clock: Times) => string };

const until = (time: number | undefined, { at }: Times): string => (time === undefined ? "" : ` until ${at(time)}`);

const SAY: Say = {
  told: (told, { at }) =>
    `Told to ${told.receiver} at ${at(told.at)}${company(told)}${tries(told.attempts, told.faults)}.`,
  pending: (told, { at }) => `On its way to ${told.receiver} since ${at(told.at)}${company(told)}.`,
  repeated: ({ at: time, every, next }, { at }) =>
    `Told again at ${at(time)}, as every ${span(every)}${next === undefined ? "" : `; next at ${at(next)}`}.`,
  escalated: ({ receiver, at: time, after, isRotaEmpty }, { at }) =>
    `Nobody acknowledged within ${span(after)}, so ${receiver} was told at ${at(time)}${isRotaEmpty ? "; the rota had nobody on duty" : ""}.`,
  over: ({ receiver, at: time }, { at }) => `Its end was told to ${receiver} at ${at(time)}.`,
  failed: ({ receiver, result, instead }, { at }) =>
    `Not delivered to ${receiver}: ${result || "no answer"}${instead ? `; ${instead.receiver} ${instead.isMany ? "were" : "was"} told in its place at ${at(instead.at)}` : ""}.`,
  uncertain: ({ receiver, at: time }, { at }) =>
    `May have been told twice: ${receiver} took the request at ${at(time)} and did not answer.`,
  grouping: ({ receiver, until: time }, { exact }) =>
    `Waits for others like it${time === undefined ? "" : ` until ${exact(time)}`}, then ${receiver} is told.`,
  delay: ({ ago, lasts }) => `It fired ${span(ago)} ago and is told when it has lasted ${span(lasts)}.`,
  flapping: ({ count, within, at: time, quiet }, { at }) =>
    `It fired ${many(count, "time")} in ${span(within)}, so it ${time === undefined ? "is" : "was"} told once as flapping${time === undefined ? "" : ` at ${at(time)}`}; it counts as settled after ${span(quiet)} without a change.`,
  dependency: ({ title, on, since, place }, { at }) =>
    `Held because ${title} on ${on} is firing${since === undefined ? "" : ` since ${at(since)}`}, and ${place === on ? "this alert depends on it" : `${place} depends on ${on}`}.`,
  parent: ({ on, wait }) => `Held for up to ${wait} seconds until ${on} has been looked at in this minute.`,
  settling: ({ title, on, ended, at: time }, { at }) =>
    `${title} on ${on} ended${ended === undefined ? "" : ` at ${at(ended)}`}; this one is told at ${at(time)} if it is still firing then.`,
  settlingJob: ({ job, at: time }, { at }) =>
    `Job ${job} has ended; this one is told at ${at(time)} if it is still firing then.`,
  snooze: ({ until: time }, clock) =>
    `Not told: all alerts are snoozed${until(time, clock)}; it will be told then if it is still firing.`,
  silence: ({ title, until: time, by }, clock) =>
    `Not told: silence "${title}"${until(time, clock)}${by ? `, made by ${by}` : ""}; it will be told then if it is still firing.`,
  acknowledgement: ({ who, at: time, link, comment, isTold }, { at }) =>
    `Not told${isTold ? " again" : ""}: ${who} acknowledged it${time === undefined ? "" : ` at ${at(time)}`}${link ? ` from the link in ${link}` : ""}${comment ? `: "${comment}"` : ""}.`,
  job: ({ id, title, place }) => `Not told: job ${id} (${title}) keeps ${place} quiet while it runs.`,
  inhibition: ({ title, place }) => `Not told: "${title}" is firing on ${place} and says more.`,
  noRoute: ({ severity, tags }) =>
    `Nobody is told: no route matches ${severity} alerts${tags.length > 0 ? ` with the ${tags.length === 1 ? "tag" : "tags"} ${tags.join(", ")}` : ""}.`,
  hours: ({ route, opens }, { day }) =>
    `Waits for the hours of route "${route}"${opens === undefined ? "" : `: opens ${day(opens)}`}; a digest then lists it if it is still firing.`,
  digest: ({ receiver, at: time }, { day }) =>
    `Waits for the digest of its route${time === undefined ? "" : `: ${day(time)}`}; ${receiver} is told then if it is still firing.`,
  rate: ({ receiver, most, until: time }, { at }) =>
    `Waits: ${receiver} has had ${many(most, "notice")} in the last hour${time === undefined ? "" : `; room again at ${at(time)}`}.`,
  brief: ({ receiver, at: time, why }, { at }) =>
    `Ended at ${at(time)} before ${receiver || "anybody"} was told${why ? ` (${why})` : ""}, so no all-clear is sent.`,
  endWaits: ({ receiver, until: time }, { day }) =>
    `It is over; ${receiver} is told of it${time === undefined ? " later" : `: ${day(time)}`}.`,
  endUntold: ({ receiver, why }) => `Its end is not told to ${receiver}: ${why}.`,
  endsAlone: ({ receiver }) => `Not told to ${receiver}, which is told of ends alone.`,
  gone: ({ receiver }) => `Not told: ${receiver} is disabled, gone, or has nobody on duty.`,
  offRoute: ({ receiver }) => `Not told to ${receiver}: its route is disabled, gone, or names it no more.`,
  leftOut: ({ receiver }) => `Not told to ${receiver}: no route that the firing took names it.`,
  noData: ({ place }) =>
    `${place} fell silent, so nobody knows whether it goes on; told receivers hear of it when data return.`,
};

/** One sentence that explains a decision about a firing and a receiver. */
export const sentenceOf = <K extends keyof Accounts>(
  account: { readonly kind: K } & Accounts[K],
  clock: Times,
): string => SAY[account.kind](account, clock);
