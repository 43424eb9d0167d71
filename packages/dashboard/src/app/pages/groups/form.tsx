import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
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

/** Name and pattern of a group, new or known. */
export function GroupForm({ group: newest, onClose, onDone }: FormProps) {
  // The form holds the record as it was opened, also where a newer one comes meanwhile: the revision says so.
  const [group] = useState(newest);
  const [title, setTitle] = useState(group?.title ?? "");
  const [match, setMatch] = useState(group?.hostname_match ?? "");
  const [most, setMost] = useState(group?.max_jobs_per_server ? String(group.max_jobs_per_server) : "");
  const [ephemeral, setEphemeral] = useState(Boolean(group?.ephemeral));
  const [notes, setNotes] = useState(group?.notes ?? "");
  const save = async (): Promise<void> => {
    const bound = { max_jobs_per_server: Number(most) || 0 };
    const record = { title: title.trim(), hostname_match: match, ...bound, ephemeral, notes };
    const run = () =>
      group ? api.updateGroup({ id: group.id, revision: group.revision, ...record }) : api.createGroup(record);
    if (!(await act("save group", { run, done: t("saved", { name: record.title }) }))) return;
    onClose();
    await onDone?.();
  };
  return (
    <FormDialog
      title={group ? common("editNamed", { name: group.title }) : t("newGroup")}
      onClose={onClose}
      onSubmit={save}
      verb={t("save")}
      isReady={title.trim() !== ""}
    >
      <Field label={t("name")}>{(id) => <TextInput id={id} isRequired value={title} onInput={setTitle} />}</Field>
      <Field label={t("match")} help={t("matchHelp")}>
        {(id, describedBy) => (
          <TextInput {...{ id, describedBy }} isMono isRequired={!group} value={match} onInput={setMatch} />
        )}
      </Field>
      <Field label={t("maxJobs")} help={t("maxJobsHelp")}>
        {(id, describedBy) => <TextInput {...{ id, describedBy }} type="number" value={most} onInput={setMost} />}
      </Field>
      <Check value={ephemeral} onInput={setEphemeral}>
        {t("ephemeral")}
      </Check>
      <Field label={t("notes")}>{(id) => <TextArea id={id} rows={2} value={notes} onInput={setNotes} />}</Field>
    </FormDialog>
  );
}
