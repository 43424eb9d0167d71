import { signal } from "@preact/signals";
import type { SignalboxError } from "@signalbox/client";
import { t } from "../../texts/words/frame.ts";
import { asError } from "./load.ts";
import { say } from "./said.ts";

/** An action of the viewer: one call, its message, and its undo. */
export interface Deed<Answer> {
  run(): Promise<Answer>;
  /** Said when it is done; the answer may say more. Absent: nothing is said. */
  readonly done?: string | ((answer: Answer) => string);
  /** Offered for ten seconds. */
  undo?(answer: Answer): Promise<unknown>;
  /** Told of a refusal where the page says it beside the entries, in place of a message at its edge. */
  readonly refused?: (text: string, error: SignalboxError) => void;
}

/** Keys of deeds that are under way: their buttons wait. */
const underWay = signal<ReadonlySet<string>>(new Set());
export const isUnderWay = (key: string): boolean => underWay.value.has(key);

function mark(key: string, isOn: boolean): void {
  const next = new Set(underWay.peek());
  if (isOn) next.add(key);
  else next.delete(key);
  underWay.value = next;
}

/** True from a refusal because somebody else has saved the record meanwhile, until the viewer does something again. */
export const isOutdated = signal(false);
const isMismatch = ({ description }: SignalboxError): boolean => description.includes("(Revision mismatch");

/** Lists of a record whose entries the server names by their numbers. */
export type EntryKind = "trigger" | "limit" | "action";

export interface RefusedEntry {
  readonly kind: EntryKind;
  /** Its place in the list; 0 = the first. */
  readonly at: number;
  readonly text: string;
}

/** The entry for which the last deed was refused, until the viewer does something again. */
export const refusedEntry = signal<RefusedEntry | undefined>(undefined);

/** The entry that a refusal names: "Malformed action entry #2: Invalid tag list." */
export function entryIn(refusal: string): RefusedEntry | undefined {
  const [, kind, number, text = ""] = /^Malformed (trigger|limit|action) entry #(\d+):? (.+)$/.exec(refusal) ?? [];
  return kind === undefined ? undefined : { kind: kind as EntryKind, at: Number(number) - 1, text };
}

/** Why something was not done, in words for people. */
export const wordsOf = (error: SignalboxError): string => {
  if (error.code === "network") return t("noAnswer");
  return isMismatch(error) ? t("mismatch") : error.description || t("refused");
};

/**
 * Does something and tells the viewer how it went. `key` names the deed on its record, `abort ${id}`: it is done once at a
 * time. Resolves to the answer, or to undefined when it was refused, which has been said by then.
 */
export async function act<Answer>(key: string, deed: Deed<Answer>): Promise<Answer | undefined> {
  if (isUnderWay(key)) return undefined;
  mark(key, true);
  isOutdated.value = false;
  refusedEntry.value = undefined;
  try {
    const answer = await deed.run();
    const { done, undo } = deed;
    const text = typeof done === "function" ? done(answer) : done;
    if (text !== undefined) say({ text, ...(undo ? { undo: () => undo(answer) } : {}) });
    return answer;
  } catch (reason) {
    const error = asError(reason);
    isOutdated.value = isMismatch(error);
    refusedEntry.value = entryIn(error.description);
    const tell = deed.refused ?? ((text: string) => say({ tone: "crit", text }));
    tell(wordsOf(error), error);
    return undefined;
  } finally {
    mark(key, false);
  }
}
