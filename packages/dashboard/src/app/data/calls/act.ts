import { signal } from "@preact/signals";
import type { SignalboxError } from "@signalbox/client";
import { t } from "../../texts/words/frame.ts";
import { asError } from "./load.ts";
import { say } from "./said.ts";

/** Something the viewer does: one call, the message about it, and its undo. */
export interface Deed<Answer> {
  run(): Promise<Answer>;
  /** Message after success, which may depend on the answer. Absent: no message. */
  readonly done?: string | ((answer: Answer) => string);
  /** Offered for ten seconds. */
  undo?(answer: Answer): Promise<unknown>;
  /** Called with a refusal when the page shows it beside the entries instead of as a message at its edge. */
  readonly refused?: (text: string, error: SignalboxError) => void;
}

/** Keys of the deeds under way; their buttons wait. */
const underWay = signal<ReadonlySet<string>>(new Set());
export const isUnderWay = (key: string): boolean => underWay.value.has(key);

function mark(key: string, isOn: boolean): void {
  const next = new Set(underWay.peek());
  if (isOn) next.add(key);
  else next.delete(key);
  underWay.value = next;
}

/** True after a refusal because somebody else has saved the record meanwhile, until the viewer's next deed. */
export const isOutdated = signal(false);
const isMismatch = ({ description }: SignalboxError): boolean => description.includes("(Revision mismatch");

/** Lists of a record whose entries the server's refusals number. */
export type EntryKind = "trigger" | "limit" | "action";

export interface RefusedEntry {
  readonly kind: EntryKind;
  /** Index in the list, from 0. */
  readonly at: number;
  readonly text: string;
}

/** The entry that the last refusal names, until the viewer's next deed. */
export const refusedEntry = signal<RefusedEntry | undefined>(undefined);

/** Parses a refusal that names an entry: "Malformed action entry #2: Invalid tag list." */
export function entryIn(refusal: string): RefusedEntry | undefined {
  const [, kind, number, text = ""] = /^Malformed (trigger|limit|action) entry #(\d+):? (.+)$/.exec(refusal) ?? [];
  return kind === undefined ? undefined : { kind: kind as EntryKind, at: Number(number) - 1, text };
}

/** Why a call failed, in words for people. */
export const wordsOf = (error: SignalboxError): string => {
  if (error.code === "network") return t("noAnswer");
  return isMismatch(error) ? t("mismatch") : error.description || t("refused");
};

/**
 * Runs a deed and tells the viewer how it went. `key` names the deed and its record, `abort ${id}`; a deed whose key is under way
 * does not run again. Resolves to the answer, or to undefined after a refusal, which the viewer has seen by then.
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
