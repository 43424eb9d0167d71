import { act } from "../../data/act.ts";
import { firing } from "../../data/counts.ts";
import { inTurns } from "../../data/in-turns.ts";
import { api } from "../../data/session.ts";
import { Action } from "../../parts/button.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { type Selection, SelectionBar } from "../../parts/selection.tsx";
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

/** What can be done with the alerts that are chosen; each button says with how many of them. */
export function Bulk({ selection }: { readonly selection: Selection }) {
  const ids = [...selection.ids.value];
  const open = firing.value.filter(({ id }) => selection.ids.value.has(id));
  const waiting = open.filter(({ acknowledged }) => !acknowledged).map(({ id }) => id);
  const taken = open.filter(({ acknowledged }) => acknowledged).map(({ id }) => id);
  const change = async ({ deed, ids: changed, call, undo, done }: Change): Promise<void> => {
    const run = async (): Promise<true> => {
      await each(changed, call);
      return true;
    };
    const back = undo && { undo: () => each(changed, undo) };
    if (await act(deed, { run, done: done(changed.length), ...back })) selection.clear();
  };
  const remove = async (): Promise<void> => {
    const n = ids.length;
    const question = { title: t("removeAllSure", { n }), text: t("removeWhy"), verb: t("remove") };
    if (!(await confirm(question))) return;
    const call: Call = (id) => api.deleteAlertInvocation({ id });
    await change({ deed: "delete alerts", ids, call, done: (gone) => t("removedAll", { n: gone }) });
  };
  return (
    <SelectionBar selection={selection}>
      {waiting.length > 0 && (
        <Action
          needs="acknowledge_alerts"
          deed="acknowledge alerts"
          run={() =>
            change({
              ...{ deed: "acknowledge alerts", ids: waiting, call: take, undo: giveBack },
              done: (n) => t("tookAll", { n }),
            })
          }
        >
          {t("acknowledgeAll", { n: waiting.length })}
        </Action>
      )}
      {taken.length > 0 && (
        <Action
          needs="acknowledge_alerts"
          deed="take back alerts"
          run={() =>
            change({ deed: "take back alerts", ids: taken, call: giveBack, done: (n) => t("takenBackAll", { n }) })
          }
        >
          {t("takeBackAll", { n: taken.length })}
        </Action>
      )}
      <Action needs="delete_alerts" deed="delete alerts" kind="danger" run={remove}>
        {t("removeAll", { n: ids.length })}
      </Action>
    </SelectionBar>
  );
}
