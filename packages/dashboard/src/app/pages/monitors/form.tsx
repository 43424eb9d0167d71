import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { Action } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { useSharedForm } from "../../parts/difference/use-shared-form.tsx";
import { Check, Field, Select, TextArea, TextInput } from "../../parts/forms/fields.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { PickList } from "../../parts/forms/pick-list.tsx";
import { t } from "./texts.ts";
import { Trial } from "./trial.tsx";

type Monitor = Awaited<ReturnType<typeof api.getMonitor>>["monitor"];

/** A monitor as the form edits it. Members that the form does not know stay in the stored record. */
export interface Draft {
  readonly title: string;
  readonly source: string;
  readonly type: string;
  readonly match: string;
  readonly suffix: string;
  readonly kind: "value" | "change" | "rate";
  readonly enabled: boolean;
  readonly groups: readonly string[];
  readonly notes: string;
}

function draftOf(monitor: Monitor | undefined): Draft {
  const {
    title = "",
    source = "",
    data_type: type = "float",
    data_match: match,
    suffix,
    notes,
    groups,
  } = monitor ?? {};
  const kind = monitor?.delta ? (monitor.divide_by_delta ? "rate" : "change") : "value";
  const enabled = monitor ? Boolean(monitor.enabled) : true;
  const shown = { match: match ?? "", suffix: suffix ?? "", groups: groups ?? [], notes: notes ?? "" };
  return { title, source, type, kind, enabled, ...shown };
}

const LABELS = {
  title: "name",
  source: "sourceField",
  type: "type",
  match: "match",
  suffix: "suffix",
  kind: "kind",
  enabled: "enabled",
  groups: "groups",
  notes: "notes",
} as const;
const nameOf = (member: keyof Draft): string => t(LABELS[member]);

const recordOf = ({ title, source, type, match, suffix, kind, enabled, groups, notes }: Draft) => ({
  title: title.trim(),
  source,
  data_type: type,
  data_match: match,
  suffix,
  enabled,
  notes,
  groups: [...groups],
  delta: kind !== "value",
  divide_by_delta: kind === "rate",
});

interface FormProps {
  readonly monitor: Monitor | undefined;
  readonly onClose: () => void;
}

const read = async (id: string): Promise<Monitor> => (await api.getMonitor({ id })).monitor;

export function MonitorForm({ monitor: kept, onClose }: FormProps) {
  const {
    base: monitor,
    form: draft,
    set,
    refused,
    conflict,
  } = useSharedForm({ record: kept, formOf: draftOf, read, nameOf });
  const save = async (): Promise<void> => {
    const record = recordOf(draft);
    // Sets the minimum of a change to 0, so that a counter that restarts does not show as a drop.
    const least = draft.kind === "value" || monitor?.delta ? {} : { delta_min_value: 0 };
    const run = () =>
      monitor
        ? api.updateMonitor({ id: monitor.id, if_revision: monitor.revision, ...record, ...least })
        : api.createMonitor({ ...record, ...least });
    if (await act("save monitor", { run, done: t("saved", { name: record.title }), refused })) onClose();
  };
  return (
    <FormDialog
      title={monitor?.title ?? t("create")}
      onClose={onClose}
      onSubmit={save}
      verb={can(monitor ? "edit_monitors" : "create_monitors") ? t(monitor ? "save" : "create") : undefined}
      isReady={draft.title.trim() !== "" && draft.source.trim() !== ""}
      note={monitor && can("delete_monitors") && <Remove monitor={monitor} onClose={onClose} />}
    >
      {conflict}
      <Fields draft={draft} set={set} />
      {can("edit_monitors") && <Trial draft={draft} />}
    </FormDialog>
  );
}

function Remove({
  monitor: { id, title: name },
  onClose,
}: {
  readonly monitor: Monitor;
  readonly onClose: () => void;
}) {
  const deed = `delete ${id}`;
  const run = async (): Promise<void> => {
    if (!(await confirm({ title: t("removeSure", { name }), text: t("removeWhy"), verb: t("remove") }))) return;
    if (await act(deed, { run: () => api.deleteMonitor({ id }), done: t("removed", { name }) })) onClose();
  };
  return (
    <Action needs="delete_monitors" deed={deed} kind="danger" label={`${t("remove")}: ${name}`} run={run}>
      {t("remove")}
    </Action>
  );
}

const TYPES = ["integer", "float", "bytes", "seconds", "milliseconds"] as const;
const KINDS = ["value", "change", "rate"] as const;

interface FieldsProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}

function Fields({ draft, set }: FieldsProps) {
  const groups = (listed("groups") ?? []).map(({ id }) => ({ value: id, title: titleOf("groups", id) }));
  return (
    <>
      <Field label={t("name")}>
        {(id) => <TextInput id={id} isRequired value={draft.title} onInput={(title) => set({ title })} />}
      </Field>
      <Field label={t("sourceField")} help={t("sourceHelp")}>
        {(id, describedBy) => (
          <TextArea
            id={id}
            describedBy={describedBy}
            isMono
            rows={2}
            value={draft.source}
            onInput={(source) => set({ source })}
          />
        )}
      </Field>
      <Reading draft={draft} set={set} />
      <Check value={draft.enabled} onInput={(enabled) => set({ enabled })}>
        {t("enabled")}
      </Check>
      <PickList label={t("groups")} choices={groups} value={draft.groups} onInput={(next) => set({ groups: next })} />
      <Field label={t("notes")}>
        {(id) => <TextArea id={id} rows={2} value={draft.notes} onInput={(notes) => set({ notes })} />}
      </Field>
    </>
  );
}

/** How the expression's result is read, compared and displayed. */
function Reading({ draft, set }: FieldsProps) {
  const known: readonly string[] = TYPES;
  const types = [...TYPES, ...(known.includes(draft.type) ? [] : [draft.type])];
  return (
    <div class="pair">
      <Field label={t("type")}>
        {(id) => (
          <Select
            id={id}
            choices={types.map((value) => ({ value, title: value }))}
            value={draft.type}
            onInput={(type) => set({ type })}
          />
        )}
      </Field>
      <Field label={t("kind")}>
        {(id) => (
          <Select
            id={id}
            choices={KINDS.map((value) => ({ value, title: t(value) }))}
            value={draft.kind}
            onInput={(kind) => set({ kind: kind as Draft["kind"] })}
          />
        )}
      </Field>
      <Field label={t("match")} help={t("matchHelp")}>
        {(id, describedBy) => (
          <TextInput id={id} describedBy={describedBy} isMono value={draft.match} onInput={(match) => set({ match })} />
        )}
      </Field>
      <Field label={t("suffix")} help={t("suffixHelp")}>
        {(id, describedBy) => (
          <TextInput id={id} describedBy={describedBy} value={draft.suffix} onInput={(suffix) => set({ suffix })} />
        )}
      </Field>
    </div>
  );
}
