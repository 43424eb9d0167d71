import { isSeverity } from "../../../fleet/alerts/rules/definition/severity.ts";
import { readDuration } from "../../../lib/time/duration.ts";
import { type Check, isFlag, isIdList, isText, isWithin, orAbsent } from "../../../wire/fields/checks.ts";
import { type NewStamp, newStamps } from "../../../wire/fields/stamps.ts";
import { filled } from "../../../wire/schemas/filled.ts";
import type { CreateHeartbeat, Heartbeat } from "../model.ts";
import { isSchedule, isZone } from "./times.ts";

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
  enabled: orAbsent(isFlag),
  category: isText,
  tags: orAbsent(isIdList),
  server: orAbsent(isText),
  severity: orAbsent(isSeverity),
  every: orAbsent(isWithin(60, LONGEST)),
  schedule: orAbsent(isSchedule),
  timezone: orAbsent(isZone),
  grace: orAbsent(isWithin(0, LONGEST)),
  start_grace: orAbsent(isWithin(0, LONGEST)),
  finish_within: orAbsent(isWithin(1, LONGEST)),
  fail_words: orAbsent(isWordList),
  icon: orAbsent(isText),
  notes: orAbsent(isText),
};

/** The sentence that refuses a heartbeat; undefined when it can be stored. */
export function heartbeatFault(heartbeat: Readonly<Record<string, unknown>>): string | undefined {
  const field = Object.keys(FIELDS).find((name) => !FIELDS[name]?.(heartbeat[name]));
  if (field) return `Invalid value for ${field}`;
  const { every, schedule } = heartbeat;
  if (!every && !schedule) return "Invalid value for every";
  return every && schedule ? "A heartbeat has either every or a schedule." : undefined;
}

const TIMES = ["every", "grace", "start_grace", "finish_within"] as const;

/** A heartbeat has either `every` or `schedule`: setting one removes the other. */
export function inPlaceOf<T extends Readonly<Record<string, unknown>>>({ every, schedule }: T): Record<string, null> {
  if (schedule && every === undefined) return { every: null };
  return every && schedule === undefined ? { schedule: null } : {};
}

const CATEGORY = "general";

/** Members that a form sends empty when they are not wanted. */
const CHOSEN = ["server", "severity", "schedule", "timezone"] as const;

/**
 * Normalises the sent members of a heartbeat: durations that are texts become seconds, empty texts are removed, and a token is
 * ignored, because everybody can read the record and only the engine creates tokens. The category cannot be removed, because it
 * determines who may access the heartbeat.
 */
export const readSent = <T extends Readonly<Record<string, unknown>>>({
  token: _made,
  ...sent
}: T): Omit<T, "token"> => ({
  ...sent,
  ...Object.fromEntries(TIMES.flatMap((name) => (name in sent ? [[name, readDuration(sent[name])]] : []))),
  ...(sent["category"] === null ? { category: CATEGORY } : {}),
  ...Object.fromEntries(CHOSEN.flatMap((name) => (sent[name] === "" ? [[name, null]] : []))),
});

export function newHeartbeat(input: CreateHeartbeat, stamp: NewStamp): Heartbeat {
  const members = filled(readSent(input), { enabled: true, category: CATEGORY });
  return { ...members, id: stamp.id, ...newStamps(stamp.username, stamp.now) } as Heartbeat;
}
