import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { inTurns } from "../../data/calls/in-turns.ts";
import { api } from "../../data/calls/session.ts";
import { firing } from "../../data/records/counts.ts";
import { Action } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { type Selection, SelectionBar } from "../../parts/lists/selection.tsx";
import { QuietDialog } from "../silences/quiet/quiet.tsx";
import { maySilence } from "../silences/quiet/scopes.ts";
import { t } from "./texts.ts";

type Call = (id: string) => Promise<unknown>;
const take: Call = (id) => api.acknowledgeAlertInvocation({ id });
const giveBack: Call = (id) => api.unacknowledgeAlertInvocation({ id });

const each = (ids: readonly string[], call: Call): Promise<void> =>
  inTurns(ids, async (id) => {
    await call(id);
  });

interface Change {
  /** Key of the deed. */
  readonly deed: string;
  readonly ids: readonly string[];
  readonly call: Call;
  readonly undo?: Call;
  done(n: number): string;
}

/** Actions on the selected alerts. Each button shows how many of them it applies to. */
export function Bulk({ selection }: { readonly selection: Selection }) {
  const [isQuiet, setQuiet] = useState(false);
  const ids = [...selection.ids.value];
  const open = firing.value.filter(({ id }) => selection.ids.value.has(id));
  const waiting = open.filter(({ acknowledged }) => !acknowledged).map(({ id }) => id);
  const taken = open.filter(({ acknowledged }) => acknowledged).map(({ id }) => id);
  const change = async (what: Change): Promise<void> => {
    if (await carryOut(what)) selection.clear();
  };
  const takeAll = () => change({ ...TAKE, ids: waiting });
  const giveAllBack = () => change({ ...GIVE_BACK, ids: taken });
  const removeAll = async (): Promise<void> => {
    const question = { title: t("removeAllSure", { n: ids.length }), text: t("removeWhy"), verb: t("remove") };
    if (await confirm(question)) await change({ ...REMOVE, ids });
  };
  return (
    <SelectionBar selection={selection}>
      {waiting.length > 0 && (
        <Action needs="acknowledge_alerts" deed={TAKE.deed} run={takeAll}>
          {t("acknowledgeAll", { n: waiting.length })}
        </Action>
      )}
      {taken.length > 0 && (
        <Action needs="acknowledge_alerts" deed={GIVE_BACK.deed} run={giveAllBack}>
          {t("takeBackAll", { n: taken.length })}
        </Action>
      )}
      {maySilence({ firings: open }) && (
        <Action needs="silence_alerts" deed="silence" run={() => setQuiet(true)}>
          {t("silenceAll", { n: open.length })}
        </Action>
      )}
      <Action needs="delete_alerts" deed={REMOVE.deed} kind="danger" run={removeAll}>
        {t("removeAll", { n: ids.length })}
      </Action>
      {isQuiet && <QuietDialog about={{ firings: open }} onClose={() => setQuiet(false)} onDone={selection.clear} />}
    </SelectionBar>
  );
}

type Kind = Omit<Change, "ids">;
const TAKE: Kind = { deed: "acknowledge alerts", call: take, undo: giveBack, done: (n) => t("tookAll", { n }) };
const GIVE_BACK: Kind = { deed: "take back alerts", call: giveBack, done: (n) => t("takenBackAll", { n }) };
const REMOVE: Kind = {
  deed: "delete alerts",
  call: (id: string) => api.deleteAlertInvocation({ id }),
  done: (n) => t("removedAll", { n }),
};

/** Resolves to true when done. If it is refused, the refusal has been shown by then. */
function carryOut({ deed, ids, call, undo, done }: Change): Promise<true | undefined> {
  const run = async (): Promise<true> => {
    await each(ids, call);
    return true;
  };
  return act(deed, { run, done: done(ids.length), ...(undo ? { undo: () => each(ids, undo) } : {}) });
}
