import type * as z from "zod";
import { recurrenceFault } from "../../../../fleet/silences/rules/record.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { isKnownZone } from "../../../../lib/time/calendar.ts";
import { type Check, isText, orAbsent } from "../../../../wire/fields/checks.ts";
import { Id, Title } from "../../../../wire/fields/fields.ts";
import { sentRevision } from "../../../../wire/fields/revision.ts";
import { type NewStamp, newStamps } from "../../../../wire/fields/stamps.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";
import { shownMembers } from "../../../../wire/schemas/shown-members.ts";
import { Rota, type RotaLayer } from "../../model.ts";

const members = shownMembers(Rota, ["timezone", "layers", "notes"]);
export const CreateRota = looseObject(() => ({ id: Id.optional(), title: Title, ...members }));
export const UpdateRota = looseObject(() => ({ id: Id, title: Title.optional(), revision: sentRevision, ...members }));

/** A new rota, without overrides, which have operations of their own. */
export const newRota = (
  { overrides: _own, ...input }: z.output<typeof CreateRota> & { readonly overrides?: unknown },
  { id, username, now }: NewStamp,
): Rota => ({ ...input, overrides: [], id, ...newStamps(username, now) }) as Rota;

const MAX_LAYERS = 5;
const MAX_USERS = 50;
const MAX_EVERY = 12;
const MAX_WINDOWS = 20;
export const MAX_OVERRIDES = 500;

export const isUserName: Check = (value) => typeof value === "string" && /^[\w.-]{1,64}$/.test(value);
const isClock: Check = (value) => typeof value === "string" && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);

const LAYER: Readonly<Record<string, Check>> = {
  users: (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_USERS && value.every(isUserName),
  turn: (value) => value === "day" || value === "week",
  every: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_EVERY,
  handover: (value) => isObject(value) && isClock(value["at"]),
  start: (value) => typeof value === "string" && isDay(value),
  only: orAbsent((value) => Array.isArray(value) && value.length <= MAX_WINDOWS && value.every(isRecurrence)),
};

const isRecurrence = (value: unknown): boolean => isObject(value) && recurrenceFault(value as never) === undefined;

/** Whether a text is a day; "2026-02-30" is none. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && dayOf(text)?.toISOString().slice(0, 10) === text;

function dayOf(text: string): Date | undefined {
  const date = new Date(`${text}T00:00Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const isLayer = (layer: unknown): boolean =>
  isObject(layer) && Object.keys(LAYER).every((member) => LAYER[member]?.(layer[member])) && fitsWeek(layer as never);

/** Whether the first handover is on the weekday of all handovers. */
const fitsWeek = ({ turn, handover: { weekday }, start }: RotaLayer): boolean =>
  turn === "day" || weekday === undefined || dayOf(start)?.getUTCDay() === weekday;

/** The sentence that refuses a rota; undefined when it can be stored. */
export function rotaFault({ timezone, layers, notes }: Rota): string | undefined {
  if (!isText(timezone) || !isKnownZone(timezone)) return `Unknown time zone: ${String(timezone)}`;
  const areLayers = Array.isArray(layers) && layers.length > 0 && layers.length <= MAX_LAYERS && layers.every(isLayer);
  if (!areLayers) return "Invalid value for layers";
  return orAbsent(isText)(notes) ? undefined : "Invalid value for notes";
}
