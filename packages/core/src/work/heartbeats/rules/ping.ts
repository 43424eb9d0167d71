import { ringOf } from "../../../lib/ring.ts";
import type { Beat, Ping } from "../model.ts";

/** Parts of a called address: the token, and the kind of ping that follows it. */
export interface Said {
  readonly token: string;
  readonly kind: Ping["kind"];
  readonly exit?: number;
}

const MAX_EXIT = 255;

/**
 * Parses `<token>`, optionally followed by `/start`, `/fail`, `/alive`, `/log` or an exit status; undefined = no such address.
 */
export function readAddress(suffix: string): Said | undefined {
  const [, token = "", word = "0"] = /^([\w-]{1,64})(?:\/([a-z]+|\d{1,3}))?\/?$/.exec(suffix) ?? [];
  if (token === "") return undefined;
  switch (word) {
    case "fail":
    case "start":
    case "alive":
    case "log":
      return { token, kind: word };
  }
  const exit = Number(word);
  if (!(exit <= MAX_EXIT)) return undefined;
  return exit === 0 ? { token, kind: "success" } : { token, kind: "fail", exit };
}

/** A success counts as a failure when its body contains a fail word. */
export const judged = (kind: Ping["kind"], body: string | undefined, failWords: readonly string[]): Ping["kind"] =>
  kind === "success" && body !== undefined && failWords.some((word) => body.includes(word)) ? "fail" : kind;

/** Most characters of a body that are stored. */
export const MAX_BODY = 10_240;
/** Most concurrent runs; the oldest is dropped. */
const MAX_RUNS = 20;

/** True when the same call came within the last second: a client retries. */
export const isRepeated = ({ latest }: Beat, { kind, exit, run, date }: Ping): boolean =>
  latest !== undefined &&
  latest.kind === kind &&
  latest.exit === exit &&
  latest.run === run &&
  Math.abs(date - latest.date) < 1;

/** The state of a heartbeat after a call. */
export function afterPing(beat: Beat, ping: Ping): Beat {
  const { kind, date, exit, run = "" } = ping;
  const { exit: _former, ...known } = { ...beat, count: beat.count + 1, latest: ping };
  const others = beat.runs.filter((each) => each.run !== run);
  // An end without a run name ends all runs.
  const left = run === "" ? [] : others;
  switch (kind) {
    case "success":
      return { ...known, last: date, begun: date, success: date, failed: false, exit: 0, runs: left };
    case "fail":
      return { ...known, last: date, begun: date, failed: true, ...(exit === undefined ? {} : { exit }), runs: left };
    case "start":
      return {
        ...known,
        ...exitOf(beat),
        last: date,
        begun: date,
        runs: [...others, { run, since: date }].slice(-MAX_RUNS),
      };
    case "alive":
      return {
        ...known,
        ...exitOf(beat),
        last: date,
        // Like an end, a sign of life without a run name applies to all runs.
        runs: beat.runs.map((each) => (run === "" || each.run === run ? { ...each, since: date } : each)),
      };
    case "log":
      return { ...known, ...exitOf(beat) };
  }
}

/**
 * Replaces times in the future, which remain after a clock was set back, by the current time: nothing would be late until then.
 * Returns the same object if there are none.
 */
export function notAhead(beat: Beat, now: number): Beat {
  const { from, last = 0, success = 0, begun = 0, runs } = beat;
  if (Math.max(from ?? 0, last, success, begun, ...runs.map(({ since }) => since)) <= now) return beat;
  const past = (time: number): number => Math.min(time, now);
  return {
    ...beat,
    from: from === null ? null : past(from),
    ...(last > now ? { last: now } : {}),
    ...(success > now ? { success: now } : {}),
    ...(begun > now ? { begun: now } : {}),
    runs: runs.map((each) => ({ ...each, since: past(each.since) })),
  };
}

const exitOf = ({ exit }: Beat): Pick<Beat, "exit"> => (exit === undefined ? {} : { exit });

/** Ring of the stored calls of a heartbeat. */
export const pings = ringOf(100);
