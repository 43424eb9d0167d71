import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";
import type { Settings } from "./settings.ts";

/** Settings with which a notice was sent to a service, and the id of its sealed secret settings. */
export const SentTo = object(() => ({
  settings: z.record(z.string(), z.string()),
  sealed: z.string().nullable(),
}));
export type SentTo = z.infer<typeof SentTo>;

interface Told {
  readonly kind: string;
  readonly outcome: string;
  readonly sent_to?: readonly SentTo[] | undefined;
}

interface Known {
  readonly settings?: Settings | null | undefined;
  readonly sealed?: string | null | undefined;
  /** Ids of former secret settings that are still stored. */
  readonly former?: readonly string[] | null | undefined;
}

export const presentOf = ({ settings, sealed }: Known): SentTo => ({
  settings: settings ?? {},
  sealed: sealed ?? null,
});

const keyOf = ({ settings, sealed }: SentTo): string =>
  JSON.stringify([sealed, ...Object.entries(settings).toSorted()]);
export const isSamePlace = (one: SentTo, other: SentTo): boolean => keyOf(one) === keyOf(other);

/** Settings with which a service accepted a notice; an older notice without a record of them used the present settings. */
export const takenBy = ({ outcome, sent_to }: Told, present: SentTo): readonly SentTo[] =>
  sent_to ?? (outcome === "sent" || outcome === "uncertain" ? [present] : []);

/** Notices that end or acknowledge what others began. They must reach the service where the problem was opened. */
const ENDING: ReadonlySet<string> = new Set(["cleared", "acknowledged", "receiver_back"]);

/**
 * Settings to send a notice with. News uses the present settings; an end uses all settings of `earlier` notices of its problem,
 * except those with which it was accepted already.
 */
export function placesOf(notice: Told, receiver: Known, earlier: readonly Told[]): SentTo[] {
  const present = presentOf(receiver);
  if (!ENDING.has(notice.kind)) return [present];
  const isKept = ({ sealed }: SentTo): boolean =>
    sealed === null || sealed === present.sealed || receiver.former?.includes(sealed) === true;
  const told = earlier.flatMap((each) => takenBy(each, present)).filter(isKept);
  const places = new Map((told.length > 0 ? told : [present]).map((place) => [keyOf(place), place]));
  for (const place of notice.sent_to ?? []) places.delete(keyOf(place));
  return [...places.values()];
}
