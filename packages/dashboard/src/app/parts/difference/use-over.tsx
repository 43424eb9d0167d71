import type { SignalboxError } from "@signalbox/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { say } from "../../data/calls/said.ts";
import { Conflict } from "./conflict.tsx";

interface Stored {
  readonly id: string;
  readonly revision?: number | undefined;
}

interface Options<Kept, Form> {
  /** The record as it was when the form was opened; undefined for a new one. */
  readonly record: Kept | undefined;
  readonly formOf: (record: Kept | undefined) => Form;
  readonly read: (id: string) => Promise<Kept>;
  /** Words for a member of the form. */
  readonly nameOf: (member: keyof Form & string) => string;
}

interface Over<Kept, Form> {
  /** The record that the entries are made over: its revision goes with them. */
  readonly base: Kept | undefined;
  readonly form: Form;
  readonly set: (change: Partial<Form>) => void;
  /** For `act`: says the refusal, or asks which version holds where somebody else has saved meanwhile. */
  readonly refused: (text: string, error: SignalboxError) => void;
  /** Both versions with a choice, while it is open. */
  readonly conflict: ComponentChildren;
}

const CONFLICT = 409;

/** A form over a record that others may save while it is open. */
export function useOver<Kept extends Stored, Form extends object>(options: Options<Kept, Form>): Over<Kept, Form> {
  const { record, formOf, read, nameOf } = options;
  const [base, setBase] = useState(record);
  const [form, setForm] = useState(() => formOf(record));
  const [theirs, setTheirs] = useState<Kept>();
  async function look(text: string, { status }: SignalboxError): Promise<void> {
    const newest = base && status === CONFLICT ? await read(base.id).catch(() => undefined) : undefined;
    if (newest && newest.revision !== base?.revision) setTheirs(newest);
    else say({ tone: "crit", text });
  }
  const goOn = (next: Form): void => {
    setForm(next);
    setBase(theirs);
    setTheirs(undefined);
  };
  return {
    ...{ base, form },
    set: (change) => setForm((now) => ({ ...now, ...change })),
    refused: (text, error) => void look(text, error),
    conflict: theirs && <Conflict {...{ base: formOf(base), theirs: formOf(theirs), mine: form, nameOf, goOn }} />,
  };
}
