import { useRef } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { useDeleted } from "../../data/entered.ts";
import { listedOne } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Deleted, Missing, Refused } from "../../frame/gone.tsx";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { LookOnly } from "../../parts/basic/states.tsx";
import { useSharedForm } from "../../parts/difference/use-shared-form.tsx";
import { useUnsaved } from "../../parts/forms/unsaved.ts";
import { go, href } from "../../router/router.ts";
import { t as frame } from "../../texts/words/frame.ts";
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
  const listedRule = listedOne("alerts", id);
  const answer = loaded.data.value;
  const rule = (listedRule?.revision ?? 0) > (answer?.revision ?? 0) ? listedRule : answer;
  useCrumbs([{ title: t("title"), href: href("/alert-rules") }, { title: isNew ? t("create") : (rule?.title ?? id) }]);
  if (!isNew && !rule) return <Missing of={loaded} gone={t("gone")} />;
  if (isNew && !can("create_alerts")) return <Refused why={frame("noRightHere")} />;
  return <Editor key={rule?.id ?? "new"} rule={rule} />;
}

function Editor({ rule }: { readonly rule: Rule | undefined }) {
  const { draft, isChanged, set, save, conflict } = useDraft(rule);
  const isDeleted = useDeleted(listedOne("alerts", rule?.id));
  const mayEdit = can(rule ? "edit_alerts" : "create_alerts");
  return (
    <>
      <Head title={rule?.title ?? t("create")} actions={rule && <Remove rule={rule} />} />
      {isDeleted && <Deleted />}
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

const nameOf = (member: keyof Draft): string => t(LABELS[member]);
const read = async (id: string): Promise<Rule> => (await api.getAlert({ id })).alert;

/** The rule as edited in the form, and how to save it. A version that somebody else saves is shown as soon as it is announced. */
function useDraft(rule: Rule | undefined) {
  const over = useSharedForm({ record: rule, formOf: draftOf, read, nameOf });
  const { base, form: draft, set, settle, refused, conflict } = over;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(base));
  const leave = useUnsaved(isChanged);
  const newest = useRef(draft);
  newest.current = draft;
  const save = async (): Promise<void> => {
    const record = recordOf(draft);
    const run = () =>
      base
        ? api.updateAlert({ id: base.id, if_revision: base.revision, ...record })
        : api.createAlert({ ...record, subject: draft.subject });
    const done = await act("save rule", { run, done: t("saved", { name: record.title }), refused });
    if (!done) return;
    if (!base) {
      leave();
      await go(`/alert-rules/${done.alert.id}`, { replace: true });
      return;
    }
    settle(done.alert);
    // Entries made while the save was running stay.
    if (newest.current === draft) set(draftOf(done.alert));
  };
  return { draft, isChanged, set, save, conflict };
}
