import type { SignalboxError } from "@signalbox/client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { say } from "../../data/calls/said.ts";
import { Conflict } from "./conflict.tsx";
import { areAtOdds, rebased } from "./rebased.ts";

interface Stored {
  readonly id: string;
  readonly revision?: number | undefined;
}

interface Options<Kept, Form> {
  /** The current record; undefined for a new one. */
  readonly record: Kept | undefined;
  readonly formOf: (record: Kept | undefined) => Form;
  readonly read: (id: string) => Promise<Kept>;
  /** Label of a member of the form. */
  readonly nameOf: (member: keyof Form & string) => string;
}

interface SharedForm<Kept, Form> {
  /** The record that the entries are based on; its revision goes with a save. */
  readonly base: Kept | undefined;
  readonly form: Form;
  readonly set: (change: Partial<Form>) => void;
  /** Makes the viewer's own saved record the base. Entries made while the save was under way stay. */
  readonly settle: (saved: Kept) => void;
  /**
   * For `act`: shows the refusal. If somebody has saved a newer revision that was not announced yet, shows both versions instead.
   */
  readonly refused: (text: string, error: SignalboxError) => void;
  /** Both versions with a choice, while somebody else's save conflicts with the entries. */
  readonly conflict: ComponentChildren;
}

const CONFLICT = 409;
const revisionOf = (record: Stored | undefined): number => record?.revision ?? 0;

/**
 * A form over a record that others may save while it is open. A newer version replaces a form without entries, and is shown
 * beside a form whose entries differ from it.
 */
export function useSharedForm<Kept extends Stored, Form extends object>(
  options: Options<Kept, Form>,
): SharedForm<Kept, Form> {
  const { record, formOf, read, nameOf } = options;
  const [base, setBase] = useState(record);
  const [form, setForm] = useState(() => formOf(record));
  const [answer, setAnswer] = useState<Kept>();
  const newest = revisionOf(answer) > revisionOf(record) ? answer : record;
  const isOlder = base !== undefined && revisionOf(newest) > revisionOf(base);
  const [theirs, before] = [formOf(newest), formOf(base)];
  const isAsked = isOlder && areAtOdds(before, form, theirs);
  const goOn = (next: Form): void => {
    setForm(next);
    setBase(newest);
  };
  useEffect(() => {
    if (isOlder && !isAsked) goOn(rebased(before, form, theirs));
  }, [isOlder, isAsked, revisionOf(newest)]);
  async function look(text: string, { status }: SignalboxError): Promise<void> {
    const told = base && status === CONFLICT ? await read(base.id).catch(() => undefined) : undefined;
    if (told && revisionOf(told) > revisionOf(base)) setAnswer(told);
    else say({ tone: "crit", text });
  }
  return {
    base,
    form,
    settle: setBase,
    set: (change) => setForm((now) => ({ ...now, ...change })),
    refused: (text, error) => void look(text, error),
    conflict: isAsked && <Conflict base={before} theirs={theirs} mine={form} nameOf={nameOf} goOn={goOn} />,
  };
}
