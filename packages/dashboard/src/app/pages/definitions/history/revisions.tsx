import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLoad } from "../../../data/calls/load.ts";
import { api, can } from "../../../data/calls/session.ts";
import { personName } from "../../../data/people/person-name.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { Empty, WhenLoaded } from "../../../parts/basic/states.tsx";
import { Tail } from "../../../parts/lists/load-more.tsx";
import { Time } from "../../../parts/time.tsx";
import { exact } from "../../../texts/format.ts";
import type { Definition, Kind, Values } from "../kind.ts";
import { t } from "../texts.ts";
import { DifferenceList } from "./difference-list.tsx";

const PAGE = 10;

interface RevisionsProps {
  readonly kind: Kind;
  readonly row: Definition;
  readonly nameOf: (member: string) => string;
  /** Loads an earlier state into the editor. */
  readonly onRestore: (values: Values) => void;
}

interface Row {
  readonly id: string;
  readonly action: string;
  readonly epoch: number;
  readonly username: string;
  readonly state: Values | undefined;
}

/** The history of a definition: who changed what, with a way to restore it. */
export function Revisions({ kind, row, nameOf, onRestore }: RevisionsProps) {
  const { type = "", member = "" } = kind.history ?? {};
  const limit = useSignal(PAGE);
  const found = useLoad(`history ${type} ${row.id} ${limit.value}`, async (signal) => {
    // Loads one more than is shown, because a change is shown against the state before it.
    const { rows, list } = await api.searchRevisionHistory({ type, query: row.id, limit: limit.value + 1 }, { signal });
    return {
      rows: rows.map((one) => ({ ...one, state: one[member] as Values | undefined })) as Row[],
      total: list.length,
    };
  });
  useEffect(() => void found.reload(), [row.revision]);
  return (
    <Panel title={t("history")} count={found.data.value?.total}>
      <WhenLoaded of={found} rows={3}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty>{t("noHistory")}</Empty>
          ) : (
            <>
              <ol class="items talk">
                {rows.slice(0, limit.value).map((one, at) => (
                  <Change
                    key={one.id}
                    row={one}
                    older={rows[at + 1]}
                    nameOf={nameOf}
                    onRestore={onRestore}
                    mayRestore={at > 0 && can(kind.needs.edit)}
                  />
                ))}
              </ol>
              <Tail limit={limit} step={PAGE} shown={limit.value} all={total} />
            </>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

interface ChangeProps {
  readonly row: Row;
  readonly older: Row | undefined;
  readonly nameOf: (member: string) => string;
  readonly mayRestore: boolean;
  readonly onRestore: (values: Values) => void;
}

const verbOf = (action: string): "did.create" | "did.update" | "did.delete" =>
  action.endsWith("_create") ? "did.create" : action.endsWith("_delete") ? "did.delete" : "did.update";

const Change = ({ row: { action, epoch, username, state }, older, nameOf, mayRestore, onRestore }: ChangeProps) => (
  <li class="said">
    <header>
      <span class="sm" dir="auto">
        {t(verbOf(action), { who: personName(username) })}
      </span>
      <span class="xs dim">
        <Time at={epoch} />
      </span>
      <span class="grow" />
      {mayRestore && state && (
        <Button kind="row" label={t("restoreOf", { time: exact(epoch) })} onClick={() => onRestore(state)}>
          {t("restore")}
        </Button>
      )}
    </header>
    {older && <DifferenceList before={older.state} after={state} nameOf={nameOf} />}
  </li>
);
