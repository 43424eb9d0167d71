import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { useSharedForm } from "../../parts/difference/use-shared-form.tsx";
import { Check, Field, TextArea, TextInput } from "../../parts/forms/fields.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { t as common } from "../../texts/words/common.ts";
import { t } from "./texts.ts";

export type Group = Awaited<ReturnType<typeof api.getGroup>>["group"];

interface FormProps {
  readonly group: Group | undefined;
  readonly onClose: () => void;
  readonly onDone?: () => unknown;
}

const formOf = (group: Group | undefined) => ({
  title: group?.title ?? "",
  match: group?.hostname_match ?? "",
  most: group?.max_jobs_per_server ? String(group.max_jobs_per_server) : "",
  ephemeral: Boolean(group?.ephemeral),
  notes: group?.notes ?? "",
});
const LABELS = { title: "name", match: "match", most: "maxJobs", ephemeral: "ephemeral", notes: "notes" } as const;
const nameOf = (member: keyof typeof LABELS): string => t(LABELS[member]);
const read = async (id: string): Promise<Group> => (await api.getGroup({ id })).group;

/** Form for the name and pattern of a new or existing group. */
export function GroupForm({ group: record, onClose, onDone }: FormProps) {
  const { base: group, form, set, refused, conflict } = useSharedForm({ record, formOf, read, nameOf });
  const save = async (): Promise<void> => {
    const { title, match, most, ephemeral, notes } = form;
    const bound = { max_jobs_per_server: Number(most) || 0 };
    const members = { title: title.trim(), hostname_match: match, ...bound, ephemeral, notes };
    const run = () =>
      group ? api.updateGroup({ id: group.id, if_revision: group.revision, ...members }) : api.createGroup(members);
    if (!(await act("save group", { run, done: t("saved", { name: members.title }), refused }))) return;
    onClose();
    await onDone?.();
  };
  return (
    <FormDialog
      title={group ? common("editNamed", { name: group.title }) : t("create")}
      onClose={onClose}
      onSubmit={save}
      verb={t(group ? "save" : "create")}
      isReady={form.title.trim() !== ""}
    >
      {conflict}
      <Fields form={form} set={set} isNew={!group} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly form: ReturnType<typeof formOf>;
  readonly set: (change: Partial<FieldsProps["form"]>) => void;
  readonly isNew: boolean;
}

const Fields = ({ form: { title, match, most, ephemeral, notes }, set, isNew }: FieldsProps) => (
  <>
    <Field label={t("name")}>
      {(id) => <TextInput id={id} isRequired value={title} onInput={(next) => set({ title: next })} />}
    </Field>
    <Field label={t("match")} help={t("matchHelp")}>
      {(id, describedBy) => (
        <TextInput
          id={id}
          describedBy={describedBy}
          value={match}
          isMono
          isRequired={isNew}
          onInput={(next) => set({ match: next })}
        />
      )}
    </Field>
    <Field label={t("maxJobs")} help={t("maxJobsHelp")}>
      {(id, describedBy) => (
        <TextInput
          id={id}
          describedBy={describedBy}
          type="number"
          value={most}
          onInput={(next) => set({ most: next })}
        />
      )}
    </Field>
    <Check value={ephemeral} onInput={(next) => set({ ephemeral: next })}>
      {t("ephemeral")}
    </Check>
    <Field label={t("notes")}>
      {(id) => <TextArea id={id} rows={2} value={notes} onInput={(next) => set({ notes: next })} />}
    </Field>
  </>
);
