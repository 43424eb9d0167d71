import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";
import type { Settings } from "./settings.ts";

/** Settings by which a service was told, and the id of its secret ones. */
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
  /** Ids of former secret settings that are kept. */
  readonly former?: readonly string[] | null | undefined;
}

export const presentOf = ({ settings, sealed }: Known): SentTo => ({
  settings: settings ?? {},
  sealed: sealed ?? null,
});

const keyOf = ({ settings, sealed }: SentTo): string =>
  JSON.stringify([sealed, ...Object.entries(settings).toSorted()]);
export const isSamePlace = (one: SentTo, other: SentTo): boolean => keyOf(one) === keyOf(other);

/** Places where a notice was taken; a notice without any went by the present settings. */
export const takenBy = ({ outcome, sent_to }: Told, present: SentTo): readonly SentTo[] =>
  sent_to ?? (outcome === "sent" || outcome === "uncertain" ? [present] : []);

/** Notices that end or take over what others began: a service looks for it where it was begun. */
const ENDING: ReadonlySet<string> = new Set(["cleared", "acknowledged", "receiver_back"]);

/**
 * Where a notice is to go: news by the present settings, an end to all by which its problem was told (`earlier`) and that
 * have not taken it.
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
