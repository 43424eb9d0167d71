import { listed, titleOf } from "../../data/records/lists.ts";
import { Check, Field, Select, TextArea, TextInput } from "../../parts/forms/fields.tsx";
import { PickList } from "../../parts/forms/pick-list.tsx";
import { SpanField } from "../../parts/forms/span-field.tsx";
import { t } from "../alert-rules/texts.ts";
import { t as routes } from "../notice-routes/texts.ts";
import { isOnServers, type PartProps, STARTS, SUBJECTS, type Subject } from "./draft.ts";

interface FieldsProps extends PartProps {
  readonly isNew: boolean;
}

export const Fields = ({ draft, set, isNew }: FieldsProps) => (
  <>
    <Condition draft={draft} set={set} isNew={isNew} />
    <Lasting draft={draft} set={set} />
    <Scope draft={draft} set={set} />
    <Others draft={draft} set={set} />
    <Field label={t("tags")} help={t("tagsHelp")}>
      {(id, describedBy) => (
        <TextInput id={id} describedBy={describedBy} value={draft.tags} onInput={(tags) => set({ tags })} />
      )}
    </Field>
    <Field label={t("notes")}>
      {(id) => <TextArea id={id} rows={2} value={draft.notes} onInput={(notes) => set({ notes })} />}
    </Field>
  </>
);

const SEVERITIES = ["info", "warning", "critical"] as const;

/** Subject, condition and message. */
function Condition({ draft, set, isNew }: FieldsProps) {
  return (
    <>
      <Field label={t("name")}>
        {(id) => <TextInput id={id} isRequired value={draft.title} onInput={(title) => set({ title })} />}
      </Field>
      <About draft={draft} set={set} isNew={isNew} />
      <Field label={t("expressionField")} help={t(`expressionHelp.${draft.subject}`)}>
        {(id, describedBy) => (
          <TextArea
            id={id}
            describedBy={describedBy}
            isMono
            rows={3}
            value={draft.expression}
            onInput={(expression) => set({ expression })}
          />
        )}
      </Field>
      {draft.subject === "server" && <Readings draft={draft} set={set} />}
      <Field label={t("message")} help={t("messageHelp", { braces: "{{float(monitors.load_avg)}}" })}>
        {(id, describedBy) => (
          <TextArea
            id={id}
            describedBy={describedBy}
            isMono
            rows={2}
            value={draft.message}
            onInput={(message) => set({ message })}
          />
        )}
      </Field>
    </>
  );
}

/** Appends the name of a reading to the condition, or replaces the sample condition that a new rule begins with. */
function Readings({ draft: { expression }, set }: PartProps) {
  const readings = (listed("monitors") ?? []).map(({ id, title }) => ({ value: `monitors.${id}`, title }));
  const before = expression === STARTS.server.expression ? "" : `${expression.trimEnd()} `;
  return (
    <Select
      isActing
      label={t("putReading")}
      value=""
      choices={[{ value: "", title: t("putReading") }, ...readings]}
      onInput={(name) => name && set({ expression: `${before}${name}`.trimStart() })}
    />
  );
}

/** How long the condition must hold before the rule fires, and when the firing ends. */
const Lasting = ({ draft, set }: PartProps) => (
  <>
    <div class="pair">
      <Field label={t("samples")} help={t("samplesHelp")}>
        {(id, describedBy) => (
          <TextInput
            id={id}
            describedBy={describedBy}
            type="number"
            value={draft.samples}
            onInput={(samples) => set({ samples })}
          />
        )}
      </Field>
      <Field label={t("repeat")} help={t("repeatHelp")}>
        {(id, describedBy) => (
          <TextInput
            id={id}
            describedBy={describedBy}
            type="number"
            value={draft.repeat}
            onInput={(repeat) => set({ repeat })}
          />
        )}
      </Field>
    </div>
    <div class="pair">
      <SpanField label={t("holdsFor")} help={t("holdsHelp")} value={draft.holds} onInput={(holds) => set({ holds })} />
      <SpanField label={t("keeps")} help={t("keepsHelp")} value={draft.keeps} onInput={(keeps) => set({ keeps })} />
    </div>
    <Field label={t("recovery")} help={t("recoveryHelp")}>
      {(id, describedBy) => (
        <TextInput
          id={id}
          describedBy={describedBy}
          isMono
          value={draft.recovery}
          onInput={(recovery) => set({ recovery })}
        />
      )}
    </Field>
    <div class="pair">
      <Field label={t("flaps")} help={t("flapsHelp")}>
        {(id, describedBy) => (
          <TextInput
            id={id}
            describedBy={describedBy}
            type="number"
            value={draft.flaps}
            onInput={(flaps) => set({ flaps })}
          />
        )}
      </Field>
      <SpanField
        label={t("flapWindow")}
        help={t("flapWindowHelp")}
        value={draft.flapWindow}
        onInput={(flapWindow) => set({ flapWindow })}
      />
    </div>
  </>
);

/** Groups on which the rule is evaluated, and its effects other than notices. */
function Scope({ draft, set }: PartProps) {
  const groups = (listed("groups") ?? []).map(({ id }) => ({ value: id, title: titleOf("groups", id) }));
  return (
    <>
      <Check value={draft.enabled} onInput={(enabled) => set({ enabled })}>
        {t("enabled")}
      </Check>
      {isOnServers(draft.subject) && (
        <>
          <Check value={draft.limitJobs} onInput={(limitJobs) => set({ limitJobs })}>
            {t("limitJobs")}
          </Check>
          <Check value={draft.abortJobs} onInput={(abortJobs) => set({ abortJobs })}>
            {t("abortJobs")}
          </Check>
          <PickList
            label={t("groups")}
            choices={groups}
            value={draft.groups}
            onInput={(next) => set({ groups: next })}
          />
        </>
      )}
    </>
  );
}

/** Rules that hold this one back, and rules that it holds back. */
function Others({ draft, set }: PartProps) {
  const rules = (listed("alerts") ?? [])
    .filter(({ id }) => id !== draft.id)
    .map(({ id, title }) => ({ value: id, title }));
  return (
    <>
      <PickList
        label={t("dependsOn")}
        help={t("dependsOnHelp")}
        choices={rules}
        value={draft.dependsOn}
        onInput={(dependsOn) => set({ dependsOn })}
      />
      <PickList
        label={t("inhibits")}
        help={t("inhibitsHelp")}
        choices={rules}
        value={draft.inhibits}
        onInput={(inhibits) => set({ inhibits })}
      />
    </>
  );
}

/** The kind of subject, which cannot be changed in a stored rule, and the severity. */
function About({ draft, set, isNew }: FieldsProps) {
  const about = SUBJECTS.map((value) => ({ value, title: t(`subject.${value}`) }));
  return (
    <div class="pair">
      {isNew && (
        <Field label={t("about")}>
          {(id) => (
            <Select
              id={id}
              choices={about}
              value={draft.subject}
              onInput={(value) => set({ subject: value as Subject, ...STARTS[value as Subject] })}
            />
          )}
        </Field>
      )}
      <Field label={t("severity")}>
        {(id) => (
          <Select
            id={id}
            value={draft.severity}
            choices={SEVERITIES.map((value) => ({ value, title: routes(`severity.${value}`) }))}
            onInput={(severity) => set({ severity })}
          />
        )}
      </Field>
    </div>
  );
}
