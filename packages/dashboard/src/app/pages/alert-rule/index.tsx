import { useMemo, useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Missing } from "../../frame/gone.tsx";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { LookOnly } from "../../parts/basic/states.tsx";
import { Conflict } from "../../parts/difference/conflict.tsx";
import { useUnsaved } from "../../parts/forms/unsaved.ts";
import { go, href } from "../../router/router.ts";
import { t } from "../alert-rules/texts.ts";
import { t as definitions } from "../definitions/texts.ts";
import type { PageProps } from "../page.ts";
import { Actions } from "./actions.tsx";
import { BackTest } from "./backtest.tsx";
import { Dependencies } from "./dependencies.tsx";
import { type Draft, draftOf, LABELS, type Rule, recordOf } from "./draft.ts";
import { Fields } from "./fields.tsx";
import { Trial } from "./trial.tsx";

/** One alert rule: its definition, whom it notifies, and what it would have done in the past. */
export function Page({ params: { id } }: PageProps) {
  const isNew = id === undefined;
  const loaded = useLoad(`rule ${id}`, async (signal) =>
    isNew ? undefined : (await api.getAlert({ id }, { signal })).alert,
  );
  const rule = loaded.data.value;
  useCrumbs([{ title: t("title"), href: href("/alert-rules") }, { title: isNew ? t("create") : (rule?.title ?? id) }]);
  if (!isNew && !rule) return <Missing of={loaded} gone={t("gone")} />;
  return <Editor key={rule?.id ?? "new"} rule={rule} reload={loaded.reload} />;
}

interface EditorProps {
  readonly rule: Rule | undefined;
  readonly reload: () => Promise<void>;
}

function Editor({ rule, reload }: EditorProps) {
  const { draft, isChanged, set, save, conflict } = useDraft(rule, reload);
  const mayEdit = can(rule ? "edit_alerts" : "create_alerts");
  return (
    <>
      <Head title={rule?.title ?? t("create")} actions={rule && <Remove rule={rule} />} />
      {conflict}
      <form
        class="grid"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Panel title={definitions("settings")} class="c6 rule-form">
          <fieldset class="form wide" disabled={!mayEdit} aria-label={rule?.title ?? t("create")}>
            {!mayEdit && <LookOnly />}
            <Fields draft={draft} set={set} isNew={rule === undefined} />
            <Actions draft={draft} set={set} />
          </fieldset>
          {mayEdit && <Foot rule={rule} draft={draft} isChanged={isChanged} />}
        </Panel>
        <div class="c6 stack">
          {can("edit_alerts") && <Trial draft={draft} />}
          {can("edit_alerts") && <BackTest draft={draft} id={rule?.id} />}
          {rule && <Dependencies rule={rule} />}
        </div>
      </form>
    </>
  );
}

interface FootProps {
  readonly rule: Rule | undefined;
  readonly draft: Draft;
  readonly isChanged: boolean;
}

const Foot = ({ rule, draft, isChanged }: FootProps) => (
  <div class="foot">
    <Button
      type="submit"
      kind="primary"
      isDisabled={!draft.title.trim() || !draft.expression.trim() || (rule !== undefined && !isChanged)}
    >
      {t(rule ? "save" : "create")}
    </Button>
  </div>
);

function Remove({ rule: { id, title: name } }: { readonly rule: Rule }) {
  const deed = `delete rule ${id}`;
  const run = async (): Promise<void> => {
    if (!(await confirm({ title: t("removeSure", { name }), text: t("removeWhy"), verb: t("remove") }))) return;
    if (await act(deed, { run: () => api.deleteAlert({ id }), done: t("removed", { name }) })) await go("/alert-rules");
  };
  return (
    <Action needs="delete_alerts" deed={deed} kind="danger" icon="trash" label={`${t("remove")}: ${name}`} run={run}>
      {t("remove")}
    </Action>
  );
}

/** The entries in the form, and the stored rule that they are based on. A newer revision means that somebody else has saved. */
interface Entered {
  readonly over: Rule | undefined;
  readonly draft: Draft;
}

interface MeanwhileProps {
  readonly entered: Entered;
  readonly rule: Rule | undefined;
  readonly enter: (entered: Entered | undefined) => void;
}

const nameOf = (member: keyof Draft): string => t(LABELS[member]);

/** Shown when somebody else has saved the rule since the first entry: compares both versions and offers a choice. */
function Meanwhile({ entered: { over, draft }, rule, enter }: MeanwhileProps) {
  if (!over || (over.revision ?? 0) >= (rule?.revision ?? 0)) return null;
  return (
    <Conflict
      base={draftOf(over)}
      theirs={draftOf(rule)}
      mine={draft}
      nameOf={nameOf}
      goOn={(next, isKeeping) => enter(isKeeping ? { over: rule, draft: next } : undefined)}
    />
  );
}

/** The rule as edited in the form, and how to save it. */
function useDraft(rule: Rule | undefined, reload: () => Promise<void>) {
  const [entered, enter] = useState<Entered | undefined>(undefined);
  const stored = useMemo(() => draftOf(rule), [rule]);
  const { over, draft } = entered ?? { over: rule, draft: stored };
  const isChanged = entered !== undefined;
  const set = (change: Partial<Draft>): void => enter({ over, draft: { ...draft, ...change } });
  const leave = useUnsaved(isChanged);
  const save = async (): Promise<void> => {
    const record = recordOf(draft);
    const run = () =>
      over
        ? api.updateAlert({ id: over.id, if_revision: over.revision, ...record })
        : api.createAlert({ ...record, subject: draft.subject });
    const done = await act("save rule", { run, done: t("saved", { name: record.title }) });
    // If somebody else has saved meanwhile, reloading shows their version beside the entries.
    if (!done) return reload();
    if (!over) {
      leave();
      await go(`/alert-rules/${done.alert.id}`, { replace: true });
      return;
    }
    await reload();
    // Entries made while the save was running are kept, now based on the saved rule.
    const saved = { ...over, revision: (over.revision ?? 0) + 1 };
    enter((now) => (now === entered || now === undefined ? undefined : { over: saved, draft: now.draft }));
  };
  const conflict = entered && <Meanwhile entered={entered} rule={rule} enter={enter} />;
  return { draft, isChanged, set, save, conflict };
}
