import { useEffect, useRef, useState } from "preact/hooks";
import { act, isUnderWay } from "../../../data/calls/act.ts";
import { can } from "../../../data/calls/session.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { LookOnly } from "../../../parts/basic/states.tsx";
import { toFirstFault } from "../../../parts/first-fault.ts";
import { useUnsaved } from "../../../parts/forms/unsaved.ts";
import { list } from "../../../texts/format.ts";
import { t as common } from "../../../texts/words/common.ts";
import type { Definition, DefinitionField, Kind, Values } from "../kind.ts";
import { t } from "../texts.ts";
import { faultyMember } from "./faulty.ts";
import { FormField } from "./field.tsx";
import { Meanwhile } from "./meanwhile.tsx";

/** State of the form: the stored record, overlaid by the entries. */
export interface Draft {
  readonly values: Values;
  /** Entries that differ from the stored values. */
  readonly changes: Values;
  set(member: string, value: unknown): void;
  /** Enters all values of an earlier state of the record. */
  take(values: Values): void;
  reset(): void;
  /** Called when these values are saved. Entries made while they were being saved are kept. */
  settle(saved: Values): void;
  /** The record that the first change was based on. */
  readonly base: Definition | undefined;
  /** Rebases on what somebody else has saved; keeps the entries if `isKeeping`, else drops them. */
  goOn(isKeeping: boolean): void;
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left ?? "") === JSON.stringify(right ?? "");

/** Empty value by kind of field, since an update cannot remove members. There is none for numbers. */
const NOTHING: { readonly [Name in DefinitionField["kind"]]?: unknown } = {
  text: "",
  area: "",
  code: "",
  select: "",
  picks: [],
  check: false,
};

/** A member's value in an earlier state. If the member did not exist then but does now, its empty value. */
const stateOf = ({ member, kind, usual }: DefinitionField, state: Values, stored: Values): unknown =>
  state[member] ?? (stored[member] === undefined ? undefined : (usual ?? NOTHING[kind]));

/** Keeps saved entries in the form until the record that contains them arrives. */
function useSaved(revision: number | undefined, drop: (saved: Values) => void) {
  const [saved, setSaved] = useState<Values>();
  const newest = useRef(revision);
  newest.current = revision;
  useEffect(() => {
    if (saved) drop(saved);
    setSaved(undefined);
  }, [revision]);
  return {
    isSaved: (member: string, value: unknown): boolean =>
      saved !== undefined && Object.hasOwn(saved, member) && saved[member] === value,
    settle: (values: Values, over: number | undefined): void =>
      newest.current === over ? setSaved(values) : drop(values),
  };
}

export function useDraft(kind: Kind, row: Definition | undefined): Draft {
  const [entered, setEntered] = useState<Values>({});
  const [base, setBase] = useState(row);
  const stored: Values = row ?? kind.draft();
  const { isSaved, settle } = useSaved(row?.revision, (saved) =>
    setEntered((now) => Object.fromEntries(Object.entries(now).filter(([member, value]) => value !== saved[member]))),
  );
  const changes = Object.fromEntries(
    Object.entries(entered).filter(([member, value]) => !same(value, stored[member]) && !isSaved(member, value)),
  );
  const enter = (given: Values): void => {
    // The first change fixes the record that the entries are based on: the viewer's own save may not have come back yet.
    if (Object.keys(changes).length === 0) setBase((own) => ((own?.revision ?? 0) > (row?.revision ?? 0) ? own : row));
    setEntered((before) => ({ ...before, ...given }));
  };
  return {
    values: { ...stored, ...entered },
    changes,
    base,
    set: (member, value) => enter({ [member]: value }),
    take: (state) =>
      enter(Object.fromEntries(kind.fields.map((field) => [field.member, stateOf(field, state, stored)]))),
    reset: () => setEntered({}),
    settle(saved) {
      const revision = base?.revision;
      settle(saved, revision);
      if (base && revision !== undefined) setBase({ ...base, ...saved, revision: revision + 1 });
    },
    goOn(isKeeping) {
      setBase(row);
      if (!isKeeping) setEntered({});
    },
  };
}

interface EditorProps {
  readonly kind: Kind;
  readonly row: Definition | undefined;
  readonly draft: Draft;
  readonly onSaved: (id: string) => unknown;
}

/** Why the last save was refused and which member it was about; that member's field receives focus. */
function useFault({ set }: Draft) {
  const [fault, setFault] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => void (fault && toFirstFault(form.current)), [fault]);
  const faulty = faultyMember(fault);
  const enter = (member: string, value: unknown): void => {
    if (member === faulty) setFault(undefined);
    set(member, value);
  };
  return { fault, faulty, setFault, form, enter };
}

/** The editor of a definition. Members that the form does not know are left unchanged. */
export function Editor({ kind, row, draft, onSaved }: EditorProps) {
  const { fault, faulty, setFault, form, enter } = useFault(draft);
  const { values, changes } = draft;
  const isNew = row === undefined;
  const mayEdit = can(isNew ? kind.needs.create : kind.needs.edit);
  const shown = kind.fields.filter((field) => (isNew || !field.isFixed) && (field.when?.(values) ?? true));
  const names = shown.filter(({ member }) => member in changes).map((field) => field.label());
  const release = useUnsaved(Object.keys(changes).length > 0);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setFault(undefined);
    const id = await act(`save ${kind.path} ${row?.id}`, {
      run: () => send(kind, row, draft),
      done: common("saved"),
      refused: setFault,
    });
    if (id === undefined) return;
    draft.settle(values);
    if (isNew) release();
    await onSaved(id);
  };
  return (
    <Panel title={t("settings")}>
      <form ref={form} class="inner form" onSubmit={save}>
        {!mayEdit && <LookOnly />}
        {shown.map((field) => (
          <FormField
            key={field.member}
            {...{ field, values, isDisabled: !mayEdit, onInput: enter }}
            error={field.member === faulty ? fault : undefined}
          />
        ))}
        {row && <Meanwhile {...{ kind, row, draft }} />}
        {mayEdit && (isNew || names.length > 0) && <SaveBar {...{ kind, row, draft, names, fault }} />}
      </form>
    </Panel>
  );
}

/** Sends null for an emptied field: a member that is not sent would keep its value. */
const asSent = ([member, value]: readonly [string, unknown]): [string, unknown] => [member, value ?? null];

/** Creates the record, or sends only the changed members with the revision that they are based on. */
async function send(kind: Kind, row: Definition | undefined, draft: Draft): Promise<string> {
  if (!row) return (await kind.create(filled({ ...kind.draft(), ...draft.values }))) ?? "";
  const revision = draft.base?.revision;
  const changes = Object.fromEntries(Object.entries(draft.changes).map(asSent));
  await kind.update(row.id, { ...changes, ...(revision === undefined ? {} : { if_revision: revision }) });
  return row.id;
}

const filled = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ""));

interface SaveBarProps {
  readonly kind: Kind;
  readonly row: Definition | undefined;
  readonly draft: Draft;
  readonly names: readonly string[];
  readonly fault: string | undefined;
}

const SaveBar = ({ kind, row, draft, names, fault }: SaveBarProps) => (
  <footer class="foot save-bar">
    {fault && (
      <p class="wrong" role="alert" dir="auto">
        {fault}
      </p>
    )}
    <Button type="submit" kind="primary" isBusy={isUnderWay(`save ${kind.path} ${row?.id}`)}>
      {row ? common("save") : kind.texts().create}
    </Button>
    {row && <Button onClick={draft.reset}>{t("discard")}</Button>}
    {row && <span class="xs dim">{t("changes", { names: list(names) })}</span>}
  </footer>
);
