import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useKeys } from "../../data/keys.ts";
import { Pairs, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { setQuery } from "../../router/router.ts";
import { exact } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { DifferenceList } from "../definitions/history/difference-list.tsx";
import type { Row } from "./index.tsx";
import { recordOf } from "./record.ts";
import { t } from "./texts.ts";

const NEAR = 100;

/** One row: the caller, their address, and the values before. */
export function Change({ row, title }: { readonly row: Row; readonly title: string }) {
  const close = (): void => setQuery({ open: undefined });
  useKeys({ Escape: close });
  const { epoch, username, ip, useragent, description } = row;
  return (
    <Panel title={title} more={<Button kind="bare" icon="x" label={frame("close")} onClick={close} />}>
      <Pairs
        facts={[
          { name: t("when"), value: exact(epoch) },
          { name: t("who"), value: username },
          description ? { name: t("about"), value: description } : undefined,
          ip ? { name: t("from"), value: ip } : undefined,
          useragent ? { name: t("with"), value: useragent } : undefined,
        ]}
      />
      <What row={row} />
    </Panel>
  );
}

function What({ row }: { readonly row: Row }) {
  const record = recordOf(row);
  const found = useLoad(`activity before ${row.id}`, async (signal) => {
    if (!record?.id) return undefined;
    const { rows } = await api.searchActivity({ query: `keywords:"${record.id}"`, limit: NEAR }, { signal });
    const at = rows.findIndex(({ id }) => id === row.id);
    const older = rows.slice(at + 1).map(recordOf);
    return older.find((one) => one?.member === record.member && one.id === record.id)?.value ?? null;
  });
  if (!record) return null;
  return (
    <div class="inner">
      <WhenLoaded of={found} rows={2}>
        {(before) => <DifferenceList before={before ?? undefined} after={record.value} />}
      </WhenLoaded>
    </div>
  );
}
