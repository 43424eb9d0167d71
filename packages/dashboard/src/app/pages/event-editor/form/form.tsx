import { api } from "../../../data/calls/session.ts";
import { listed, listedOne, titleOf } from "../../../data/records/lists.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { ActionsEditor } from "../../../parts/editors/actions-editor.tsx";
import { LimitsEditor } from "../../../parts/editors/limits-editor.tsx";
import type { Entry } from "../../../parts/entries/members.ts";
import { Check, Field, Select, TextArea, TextInput } from "../../../parts/forms/fields.tsx";
import { PickList } from "../../../parts/forms/pick-list.tsx";
import type { Definition } from "../../../parts/params/definitions.ts";
import { ParamFields } from "../../../parts/params/index.tsx";
import { Preview, TriggersEditor } from "../../../parts/schedule/triggers-editor.tsx";
import type { Upcoming } from "../../../parts/schedule/upcoming.tsx";
import { absentParameters, type Change, type Draft } from "../draft.ts";
import { t } from "../texts.ts";
import { ExpectFields } from "./expect.tsx";
import { Questions } from "./questions.tsx";
import { Targets } from "./targets.tsx";

interface FormProps {
  readonly draft: Draft;
  readonly change: Change;
  /** Required members that are empty; empty until the first attempt to save. */
  readonly missing: readonly string[];
}

/** The complete form of an event, from its name to what follows a job. */
export function Form({ draft, change, missing }: FormProps) {
  const isWorkflow = draft.type === "workflow";
  return (
    <div class="stack">
      <Panel title={t("what")}>
        <div class="form padded">
          <What draft={draft} change={change} missing={missing} />
        </div>
      </Panel>
      {!isWorkflow && <Parameters draft={draft} change={change} missing={missing} />}
      <When draft={draft} change={change} />
      {!isWorkflow && (
        <Panel title={t("where")}>
          <div class="form padded">
            <Targets draft={draft} change={change} isMissing={missing.includes("targets")} />
          </div>
        </Panel>
      )}
      <Panel title={t("expect")}>
        <ExpectFields draft={draft} change={change} />
      </Panel>
      <After draft={draft} change={change} />
      <Panel title={t("fields")}>
        <Questions
          fields={draft.fields as readonly Definition[]}
          onInput={(fields) => change({ fields: fields as Draft["fields"] })}
        />
      </Panel>
    </div>
  );
}

const choices = (name: "categories" | "tags") =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

function What({ draft, change, missing }: FormProps) {
  return (
    <>
      <Field label={t("name")} error={missing.includes("title") ? t("noTitle") : undefined}>
        {(id, describedBy) => (
          <TextInput
            id={id}
            describedBy={describedBy}
            name="title"
            value={draft.title}
            onInput={(title) => change({ title })}
          />
        )}
      </Field>
      <Check value={Boolean(draft.enabled)} onInput={(enabled) => change({ enabled })}>
        {t("enabled")}
      </Check>
      {!draft.id && !draft.enabled && <p class="help">{t("tryFirst")}</p>}
      <Kind draft={draft} change={change} />
      <PickList
        label={t("tags")}
        choices={choices("tags")}
        value={draft.tags ?? []}
        onInput={(tags) => change({ tags: [...tags] })}
      />
      <Field label={t("notes")}>
        {(id) => <TextArea id={id} value={draft.notes ?? ""} onInput={(notes) => change({ notes })} rows={3} />}
      </Field>
    </>
  );
}

const SHOWN = 20;

function When({ draft, change }: Pick<FormProps, "draft" | "change">) {
  const triggers = draft.triggers as readonly Entry[];
  const ask = (tried: readonly Entry[]): Promise<Upcoming> => {
    const input = { triggers: tried, limit: SHOWN, ...(draft.id ? { id: draft.id } : {}) };
    return api.previewEvent(input as Parameters<typeof api.previewEvent>[0]);
  };
  return (
    <div class="split">
      <Panel title={t("when")}>
        <TriggersEditor triggers={triggers} onInput={(next) => change({ triggers: next as Draft["triggers"] })} />
      </Panel>
      <Preview triggers={triggers} ask={ask} />
    </div>
  );
}

/** Parameters that an event's plugin declares. */
export const askedBy = ({ plugin }: Pick<Draft, "plugin">): readonly Definition[] =>
  (listedOne("plugins", plugin)?.params ?? []) as readonly Definition[];

/** Fields for the plugin's parameters. */
const Parameters = ({ draft, change, missing }: FormProps) => (
  <Panel title={t("parameters")} note={titleOf("plugins", draft.plugin)}>
    <div class="form padded">
      <ParamFields
        definitions={askedBy(draft)}
        values={draft.params ?? {}}
        onInput={(value) => change((current) => ({ params: { ...current.params, ...value } }))}
        missing={absentParameters(missing, askedBy(draft))}
      />
    </div>
  </Panel>
);

/** Limits on the event's jobs, and actions that follow a job. */
const After = ({ draft, change }: Pick<FormProps, "draft" | "change">) => (
  <>
    <Panel title={t("limits")}>
      <LimitsEditor
        limits={draft.limits as readonly Entry[]}
        onInput={(limits) => change({ limits: limits as Draft["limits"] })}
      />
    </Panel>
    <Panel title={t("actions")}>
      <ActionsEditor
        actions={draft.actions as readonly Entry[]}
        onInput={(actions) => change({ actions: actions as Draft["actions"] })}
      />
    </Panel>
  </>
);

/** The event's category and the plugin that its jobs run. */
function Kind({ draft, change }: Pick<FormProps, "draft" | "change">) {
  const plugins = (listed("plugins") ?? [])
    .filter(({ type }) => type === "event")
    .map(({ id, title }) => ({ value: id, title }));
  return (
    <div class="pair">
      <Field label={t("category")}>
        {(id) => (
          <Select
            id={id}
            value={draft.category}
            choices={choices("categories")}
            onInput={(category) => change({ category })}
          />
        )}
      </Field>
      {draft.type !== "workflow" && (
        <Field label={t("plugin")}>
          {(id) => <Select id={id} value={draft.plugin} choices={plugins} onInput={(plugin) => change({ plugin })} />}
        </Field>
      )}
    </div>
  );
}
