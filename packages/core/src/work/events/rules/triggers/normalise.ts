import { withDefaults } from "../../../../directory/plugins/rules/parameters/fields.ts";
import { sha256Hex } from "../../../../lib/secrecy/hash.ts";
import type { Trigger } from "../../model.ts";

type Members = Readonly<Record<string, unknown>>;

const MINUTE = 60;
const FLOORED: ReadonlyMap<string, readonly string[]> = new Map([
  ["single", ["epoch"]],
  ["range", ["start", "end"]],
  ["blackout", ["start", "end"]],
]);

/**
 * Triggers in their stored form: times are rounded down to whole minutes, and a magic key is replaced by its token
 * (docs/contract/schedules.md#triggers).
 */
export function storeTriggers(triggers: readonly Trigger[], eventId: string): Trigger[] {
  return triggers.map((trigger) => tokenOfKey(floorTimes(trigger), eventId));
}

function floorTimes(trigger: Trigger): Trigger {
  const floored: Trigger = { ...trigger };
  for (const member of FLOORED.get(trigger.type) ?? []) {
    const time = floored[member];
    if (typeof time === "number") floored[member] = Math.floor(time / MINUTE) * MINUTE;
  }
  return floored;
}

function tokenOfKey(trigger: Trigger, eventId: string): Trigger {
  if (trigger.type !== "magic") return trigger;
  const { key, ...rest } = trigger;
  return typeof key === "string" && key !== "" ? { ...rest, token: sha256Hex(key + eventId) } : rest;
}

const FILLED: ReadonlySet<string> = new Set(["schedule", "single", "interval", "startup", "keyboard"]);

/** Gives triggers that launch without a caller a value for every field of the event. */
export function fillTriggers(triggers: readonly Trigger[], fields: readonly Members[]): Trigger[] {
  if (fields.length === 0) return [...triggers];
  return triggers.map((trigger) =>
    FILLED.has(trigger.type) ? { ...trigger, params: withDefaults(fields, paramsOf(trigger)) } : trigger,
  );
}

export const isFilled = (trigger: Trigger): boolean => FILLED.has(trigger.type);

export const paramsOf = (trigger: Trigger): Members => {
  const { params } = trigger;
  return typeof params === "object" && params !== null ? (params as Members) : {};
};

/** People and actions can run an event only if it has an enabled manual trigger. */
export const allowsManualRuns = (triggers: readonly Trigger[]): boolean =>
  triggers.some(({ enabled, type }) => enabled && type === "manual");
