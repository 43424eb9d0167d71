import { type Check, isFlag, isIdList, isNumber, isText, orAbsent } from "../../../wire/fields/checks.ts";
import { newStamps } from "../../../wire/fields/stamps.ts";
import { filled } from "../../../wire/schemas/filled.ts";
import type { CreateMonitor, Monitor } from "../model.ts";

/** Reserved ids: they would collide with members of timeline rows (docs/contract/monitors.md#definition). */
const RESERVED: ReadonlySet<string> = new Set([
  "date",
  "epoch",
  "epoch_div",
  "count",
  "counts",
  "totals",
  "deltas",
  "alerts",
  "missing",
]);

const FIELDS: Readonly<Record<string, Check>> = {
  title: isText,
  source: isText,
  data_type: isText,
  enabled: orAbsent(isFlag),
  display: orAbsent(isFlag),
  groups: orAbsent(isIdList),
  sort_order: isNumber,
  data_match: orAbsent(isText),
  suffix: orAbsent(isText),
  min_vert_scale: orAbsent(isNumber),
  delta: orAbsent(isFlag),
  delta_min_value: orAbsent((value) => value === false || isNumber(value)),
  divide_by_delta: orAbsent(isFlag),
  multiply: orAbsent(isNumber),
  divide: orAbsent(isNumber),
  icon: orAbsent(isText),
  notes: orAbsent(isText),
};

/** The first invalid member of a definition. */
export function invalidField(monitor: Readonly<Record<string, unknown>>): string | undefined {
  if (RESERVED.has(String(monitor["id"]))) return "id";
  return Object.keys(FIELDS).find((field) => !FIELDS[field]?.(monitor[field]));
}

export function newMonitor(
  input: CreateMonitor,
  stamp: { id: string; username: string; now: number; sortOrder: number },
): Monitor {
  return {
    ...filled(input as CreateMonitor & Partial<Monitor>, { enabled: true, display: true, groups: [] }),
    id: stamp.id,
    sort_order: stamp.sortOrder,
    ...newStamps(stamp.username, stamp.now),
  };
}
