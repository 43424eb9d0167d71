import { listed, titleOf } from "../../data/lists.ts";
import { Check, Field, TextArea, TextInput } from "../../parts/fields.tsx";
import { PickList } from "../../parts/pick-list.tsx";
import { t } from "../alert-rules/texts.ts";
import type { PartProps } from "./draft.ts";

/** What the rule says. */
export function Fields({ draft, set }: PartProps) {
  const groups = (listed("groups") ?? []).map(({ id }) => ({ value: id, title: titleOf("groups", id) }));
  return (
    <>
      <Field label={t("name")}>
        {(id) => <TextInput id={id} isRequired value={draft.title} onInput={(title) => set({ title })} />}
      </Field>
      <Field label={t("expressionField")} help={t("expressionHelp")}>
        {(id, describedBy) => (
          <TextArea
            {...{ id, describedBy }}
            isMono
            rows={3}
            value={draft.expression}
            onInput={(expression) => set({ expression })}
          />
        )}
      </Field>
      <Field label={t("message")} help={t("messageHelp", { braces: "{{float(monitors.load_avg)}}" })}>
        {(id, describedBy) => (
          <TextArea
            {...{ id, describedBy }}
            isMono
            rows={2}
            value={draft.message}
            onInput={(message) => set({ message })}
          />
        )}
      </Field>
      <div class="pair">
        <Field label={t("samples")} help={t("samplesHelp")}>
          {(id, describedBy) => (
            <TextInput
              {...{ id, describedBy }}
              type="number"
              value={draft.samples}
              onInput={(samples) => set({ samples })}
            />
          )}
        </Field>
        <Field label={t("repeat")} help={t("repeatHelp")}>
          {(id, describedBy) => (
            <TextInput
              {...{ id, describedBy }}
              type="number"
              value={draft.repeat}
              onInput={(repeat) => set({ repeat })}
            />
          )}
        </Field>
      </div>
      <Check value={draft.enabled} onInput={(enabled) => set({ enabled })}>
        {t("enabled")}
      </Check>
      <Check value={draft.limitJobs} onInput={(limitJobs) => set({ limitJobs })}>
        {t("limitJobs")}
      </Check>
      <Check value={draft.abortJobs} onInput={(abortJobs) => set({ abortJobs })}>
        {t("abortJobs")}
      </Check>
      <PickList label={t("groups")} choices={groups} value={draft.groups} onInput={(next) => set({ groups: next })} />
      <Field label={t("tags")} help={t("tagsHelp")}>
        {(id, describedBy) => (
          <TextInput {...{ id, describedBy }} value={draft.tags} onInput={(tags) => set({ tags })} />
        )}
      </Field>
      <Field label={t("notes")}>
        {(id) => <TextArea id={id} rows={2} value={draft.notes} onInput={(notes) => set({ notes })} />}
      </Field>
    </>
  );
}
