import { readDuration } from "../../../lib/duration.ts";
import { type Check, isFlag, isIdList, isText, isWithin, orAbsent } from "../../../wire/checks.ts";
import { newStamps } from "../../../wire/stamps.ts";
import type { CreateHeartbeat, Heartbeat } from "../model.ts";

/** 400 days. Seconds. */
const LONGEST = 34_560_000;
const MAX_WORDS = 10;
const MAX_WORD = 256;

const isWordList: Check = (value) =>
  Array.isArray(value) &&
  value.length <= MAX_WORDS &&
  value.every((word) => typeof word === "string" && word !== "" && word.length <= MAX_WORD);

const FIELDS: Readonly<Record<string, Check>> = {
  title: isText,
  enabled: isFlag,
  category: isText,
  tags: orAbsent(isIdList),
  every: isWithin(60, LONGEST),
  grace: orAbsent(isWithin(0, LONGEST)),
  finish_within: orAbsent(isWithin(1, LONGEST)),
  fail_words: orAbsent(isWordList),
  icon: orAbsent(isText),
  notes: orAbsent(isText),
};

/** The sentence that refuses a heartbeat; undefined when it can be stored. */
export function heartbeatFault(heartbeat: Readonly<Record<string, unknown>>): string | undefined {
  const field = Object.keys(FIELDS).find((name) => !FIELDS[name]?.(heartbeat[name]));
  return field && `Invalid value for ${field}`;
}

const TIMES = ["every", "grace", "finish_within"] as const;

/** Durations that came as texts become seconds. */
export const readTimes = <T extends Readonly<Record<string, unknown>>>(sent: T): T => ({
  ...sent,
  ...Object.fromEntries(TIMES.flatMap((name) => (name in sent ? [[name, readDuration(sent[name])]] : []))),
});

export function newHeartbeat(input: CreateHeartbeat, stamp: { id: string; username: string; now: number }): Heartbeat {
  const { enabled = true, category = "general", ...members } = readTimes(input);
  return { ...members, enabled, category, id: stamp.id, ...newStamps(stamp.username, stamp.now) } as Heartbeat;
}
