import { act } from "../../../data/calls/act.ts";
import { can } from "../../../data/calls/session.ts";
import { useKept } from "../../../data/entered.ts";
import { personName } from "../../../data/people/person-name.ts";
import { useCrumbs } from "../../../frame/crumbs.ts";
import { Deleted, Gone, Refused } from "../../../frame/gone.tsx";
import { Head, Pairs, Panel, Pill } from "../../../parts/basic/basic.tsx";
import { Action } from "../../../parts/basic/button.tsx";
import { confirm } from "../../../parts/basic/dialog.tsx";
import { Icon } from "../../../parts/basic/icon.tsx";
import { Outline } from "../../../parts/basic/states.tsx";
import { hasPage } from "../../../router/find-page.ts";
import { go, href } from "../../../router/router.ts";
import { when } from "../../../texts/format.ts";
import { t as common } from "../../../texts/words/common.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import { Revisions } from "../history/revisions.tsx";
import type { Definition, Kind, Use } from "../kind.ts";
import { t } from "../texts.ts";
import { Editor, useDraft } from "./editor.tsx";

/** The page of a new definition. */
export function New({ kind }: { readonly kind: Kind }) {
  const { title, create } = kind.texts();
  useCrumbs([{ title, href: href(kind.path) }, { title: create }]);
  return can(kind.needs.create) ? <Blank kind={kind} /> : <Refused why={frame("noRightHere")} />;
}

function Blank({ kind }: { readonly kind: Kind }) {
  const { create } = kind.texts();
  const draft = useDraft(kind, undefined);
  return (
    <>
      <Head title={create} />
      <Editor
        kind={kind}
        row={undefined}
        draft={draft}
        onSaved={(id) => go(id ? `${kind.path}/${id}` : kind.path, { replace: true })}
      />
    </>
  );
}

/** The page of one definition: its editor, the records that use it, its history. */
export function One({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const rows = kind.useRows();
  const stored = rows?.find((one) => one.id === id);
  const row = useKept(id, stored);
  useCrumbs([{ title: kind.texts().title, href: href(kind.path) }, { title: row?.title || id }]);
  if (!rows) return <Outline rows={8} />;
  if (!row) return <Gone>{t("gone", { id })}</Gone>;
  return (
    <>
      {!stored && <Deleted />}
      <Shown key={id} kind={kind} row={row} />
    </>
  );
}

function Shown({ kind, row }: { readonly kind: Kind; readonly row: Definition }) {
  const draft = useDraft(kind, row);
  const { Lead, Main, Side, Uses = UsesOf } = kind;
  const part = { row, values: draft.values };
  const isOff = row.enabled !== undefined && !row.enabled;
  const nameOf = (member: string): string => kind.fields.find((field) => field.member === member)?.label() ?? member;
  return (
    <>
      <Head
        title={row.title || row.id}
        {...(isOff ? { state: <Pill state="abort" label={common("off")} /> } : {})}
        actions={<Remove kind={kind} row={row} />}
      />
      <div class="beside">
        {Lead && (
          <div class="stack lead">
            <Lead {...part} />
          </div>
        )}
        <div class="stack">
          <Editor kind={kind} row={row} draft={draft} onSaved={() => undefined} />
          {Main && <Main {...part} />}
          {kind.history && <Revisions kind={kind} row={row} nameOf={nameOf} onRestore={draft.take} />}
        </div>
        <div class="stack">
          {Side && <Side {...part} />}
          <Uses {...part} kind={kind} />
          <Facts row={row} />
        </div>
      </div>
    </>
  );
}

function Remove({ kind, row }: { readonly kind: Kind; readonly row: Definition }) {
  const remove = async (): Promise<void> => {
    const name = row.title || row.id;
    const question = { title: t("removeTitle", { name }), text: kind.removal(row), verb: common("delete") };
    if (!(await confirm({ ...question, ...(kind.isTyped ? { typed: row.id } : {}) }))) return;
    const done = t("removed", { name });
    if ((await act(`remove ${row.id}`, { run: () => kind.remove(row.id).then(() => true), done })) === undefined)
      return;
    await go(kind.path);
  };
  return (
    <Action needs={kind.needs.remove} deed={`remove ${row.id}`} kind="danger" icon="trash" run={remove}>
      {common("delete")}
    </Action>
  );
}

function Facts({ row }: { readonly row: Definition }) {
  const at = (member: string) => {
    const time = row[member];
    return typeof time === "number" && time > 0 ? when(time) : undefined;
  };
  const [created, modified] = [at("created"), at("modified")];
  // For an account, `username` is its own name and not its author.
  const who = typeof row["username"] === "string" && row["username"] !== row.id ? row["username"] : "";
  return (
    <Panel title={t("facts")}>
      <Pairs
        facts={[
          { name: common("id"), value: <span class="mono">{row.id}</span> },
          created
            ? { name: common("created"), value: who ? common("by", { time: created, who: personName(who) }) : created }
            : undefined,
          modified ? { name: common("changed"), value: modified } : undefined,
          row.revision === undefined ? undefined : { name: t("revision"), value: row.revision },
        ]}
      />
    </Panel>
  );
}

const UsesOf = ({ kind, row }: { readonly kind: Kind; readonly row: Definition }) =>
  kind.uses ? <UsesPanel uses={kind.uses(row)} /> : null;

export const UsesPanel = ({ uses }: { readonly uses: readonly Use[] }) => (
  <Panel title={t("usedBy")} count={uses.length}>
    {uses.length === 0 ? <p class="dim sm inner">{t("unused")}</p> : <UseList uses={uses} />}
  </Panel>
);

/** Links to records that use something. */
export const UseList = ({ uses }: { readonly uses: readonly Use[] }) => (
  <ul class="linked">
    {uses.map(({ icon, title, href: target, note }) => (
      <li key={`${target} ${note}`}>
        <Icon name={icon} />
        <span class="cut grow" dir="auto">
          {hasPage(target) ? <a href={href(target)}>{title}</a> : title}
          {note && <span class="dim xs sub">{note}</span>}
        </span>
      </li>
    ))}
  </ul>
);
