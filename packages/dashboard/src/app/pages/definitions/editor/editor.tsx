import { useState } from "preact/hooks";
import { act, isUnderWay } from "../../../data/calls/act.ts";
import { can } from "../../../data/calls/session.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { LookOnly } from "../../../parts/basic/states.tsx";
import { useUnsaved } from "../../../parts/forms/unsaved.ts";
import { list } from "../../../texts/format.ts";
import { t as common } from "../../../texts/words/common.ts";
import type { Definition, Kind, Values } from "../kind.ts";
import { t } from "../texts.ts";
import { FormField } from "./field.tsx";

/** State of the form: the record, and over it the entries. */
export interface Draft {
  readonly values: Values;
  /** Entries that differ from the stored values. */
  readonly changes: Values;
  set(member: string, value: unknown): void;
  /** Takes over a whole state. */
  take(values: Values): void;
  reset(): void;
  /** The revision that the first change was made over. */
  readonly revision: number | undefined;
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left ?? "") === JSON.stringify(right ?? "");

export function useDraft(kind: Kind, row: Definition | undefined): Draft {
  const [entered, setEntered] = useState<Values>({});
  const [revision, setRevision] = useState(row?.revision);
  const stored: Values = row ?? kind.draft();
  const changes = Object.fromEntries(Object.entries(entered).filter(([member, value]) => !same(value, stored[member])));
  const enter = (given: Values): void => {
    // The first change says over which revision the form was filled.
    if (Object.keys(changes).length === 0) setRevision(row?.revision);
    setEntered((before) => ({ ...before, ...given }));
  };
  return {
    values: { ...stored, ...entered },
    changes,
    revision,
    set: (member, value) => enter({ [member]: value }),
    take: (state) => enter(Object.fromEntries(kind.fields.map(({ member }) => [member, state[member]]))),
    reset: () => setEntered({}),
  };
}

interface EditorProps {
  readonly kind: Kind;
  readonly row: Definition | undefined;
  readonly draft: Draft;
  readonly onSaved: (id: string) => unknown;
}

/** The form of a definition. Members that it does not know stay as they are. */
export function Editor({ kind, row, draft, onSaved }: EditorProps) {
  const [fault, setFault] = useState<string>();
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
      refused: (text, { status }) => setFault(status === 409 && row ? common("conflict") : text),
    });
    if (id === undefined) return;
    draft.reset();
    release();
    await onSaved(id);
  };
  return (
    <Panel title={isNew ? kind.texts().create : t("settings")}>
      <form class="inner form" onSubmit={save}>
        {!mayEdit && <LookOnly />}
        {shown.map((field) => (
          <FormField key={field.member} {...{ field, values, isDisabled: !mayEdit, onInput: draft.set }} />
        ))}
        {mayEdit && (isNew || names.length > 0) && <SaveBar {...{ kind, row, draft, names, fault }} />}
      </form>
    </Panel>
  );
}

/** Sends the entries, and nothing else. */
async function send(kind: Kind, row: Definition | undefined, draft: Draft): Promise<string> {
  if (!row) return (await kind.create(filled({ ...kind.draft(), ...draft.values }))) ?? "";
  const { revision } = draft;
  await kind.update(row.id, { ...draft.changes, ...(revision === undefined ? {} : { revision }) });
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
