import type * as z from "zod";
import { recurrenceFault } from "../../../../fleet/silences/rules/record.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { isKnownZone } from "../../../../lib/time/calendar.ts";
import { type Check, isNumber, isText, isWithin, orAbsent } from "../../../../wire/fields/checks.ts";
import { Id, Title } from "../../../../wire/fields/fields.ts";
import { updateMembers } from "../../../../wire/fields/revision.ts";
import { type NewStamp, newStamps } from "../../../../wire/fields/stamps.ts";
import { type Filled, filled } from "../../../../wire/schemas/filled.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";
import { shownMembers, shownRequired } from "../../../../wire/schemas/shown-members.ts";
import { Rota, type RotaLayer } from "../../model.ts";

const members = shownMembers(Rota, ["timezone", "layers", "overrides", "notes"]);
export const CreateRota = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  ...members,
  timezone: shownRequired(Rota.shape.timezone),
  layers: shownRequired(Rota.shape.layers),
}));
export const UpdateRota = looseObject(() => ({ ...updateMembers, ...members }));

export const newRota = (input: z.output<typeof CreateRota>, { id, username, now }: NewStamp): Rota =>
  ({ ...filled(input, { overrides: [] }), id, ...newStamps(username, now) }) as Rota;

/** Adds an id to each override in the request that has none. */
export const withOverrideIds = <T extends { readonly overrides?: unknown }>(sent: T, newId: () => string): T =>
  Array.isArray(sent.overrides)
    ? { ...sent, overrides: sent.overrides.map((each) => (isObject(each) ? { id: newId(), ...each } : each)) }
    : sent;

const MAX_LAYERS = 5;
const MAX_USERS = 50;
const MAX_EVERY = 12;
const MAX_WINDOWS = 20;
export const MAX_OVERRIDES = 500;

const isUserName: Check = (value) => typeof value === "string" && /^[\w.-]{1,64}$/.test(value);
const isClock: Check = (value) => typeof value === "string" && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);

const LAYER: Readonly<Record<string, Check>> = {
  users: (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_USERS && value.every(isUserName),
  turn: (value) => value === "day" || value === "week",
  every: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_EVERY,
  handover: (value) => isObject(value) && isClock(value["at"]) && isLeftOutOr(isWithin(0, 6))(value["weekday"]),
  start: (value) => typeof value === "string" && isDay(value),
  only: orAbsent((value) => Array.isArray(value) && value.length <= MAX_WINDOWS && value.every(isRecurrence)),
};

const isRecurrence = (value: unknown): boolean => isObject(value) && recurrenceFault(value as never) === undefined;

const isLeftOutOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const OVERRIDE: Readonly<Record<string, Check>> = {
  id: isLeftOutOr((value) => typeof value === "string" && /^\w{1,64}$/.test(value)),
  start: isNumber,
  end: isNumber,
  user: isUserName,
  instead_of: isLeftOutOr(isUserName),
  note: isLeftOutOr(isText),
};

export const isOverride: Check = (value) =>
  isObject(value) &&
  Object.keys(OVERRIDE).every((member) => OVERRIDE[member]?.(value[member])) &&
  Number(value["end"]) > Number(value["start"]);

/** Whether a text is an existing day; "2026-02-30" is not. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && dayOf(text)?.toISOString().slice(0, 10) === text;

function dayOf(text: string): Date | undefined {
  const date = new Date(`${text}T00:00Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const isLayer = (layer: unknown): boolean =>
  isObject(layer) && Object.keys(LAYER).every((member) => LAYER[member]?.(layer[member])) && fitsWeek(layer as never);

/** Whether the first handover falls on the weekday of handovers. */
const fitsWeek = ({ turn, handover: { weekday }, start }: RotaLayer): boolean =>
  turn === "day" || weekday === undefined || dayOf(start)?.getUTCDay() === weekday;

/**
 * The rota without invalid layers and overrides, which an older version or an import may have left. People see only the valid
 * ones, and saving the rota removes the others.
 */
export function soundRota(rota: Rota): Filled<Rota, "overrides"> {
  const good = <T>(entries: readonly T[] | null | undefined, isGood: Check): T[] =>
    Array.isArray(entries) ? entries.filter(isGood) : [];
  return { ...rota, layers: good(rota.layers, isLayer), overrides: good(rota.overrides, isOverride) };
}

/** The sentence that refuses a rota; undefined = it can be stored. */
export function rotaFault({ timezone, layers, overrides, notes }: Rota): string | undefined {
  if (!isText(timezone) || !isKnownZone(timezone)) return `Unknown time zone: ${String(timezone)}`;
  const areLayers = Array.isArray(layers) && layers.length > 0 && layers.length <= MAX_LAYERS && layers.every(isLayer);
  if (!areLayers) return "Invalid value for layers";
  const isList: Check = (value) => Array.isArray(value) && value.length <= MAX_OVERRIDES && value.every(isOverride);
  if (!orAbsent(isList)(overrides)) return "Invalid value for overrides";
  return orAbsent(isText)(notes) ? undefined : "Invalid value for notes";
}
