import { useEffect } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { readAll } from "../../data/calls/read-all.ts";
import { api } from "../../data/calls/session.ts";
import { useKeys } from "../../data/keys.ts";
import { personName } from "../../data/people/person-name.ts";
import { picture } from "../../parts/after-picture.ts";
import { More, Pairs, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href, setQuery } from "../../router/router.ts";
import { exact } from "../../texts/format.ts";
import { actorOf, deedAbout } from "../../texts/words/deeds.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { DifferenceList } from "../definitions/history/difference-list.tsx";
import type { Row } from "./index.tsx";
import { isState, pathOf, recordOf, type Told } from "./record.ts";
import { t } from "./texts.ts";

/** Rows per request. */
const MOST = 100;
/**
 * Upper bound on the rows read to find the values before. A search matches dates only to the hour, so the answer may
 * begin with newer rows, which are skipped.
 */
const MOST_PASSED = 1000;

/** Widths at which the panel takes the place of the list, as the style sheet has it. */
const INSTEAD_OF_LIST = "(max-width: 1100px)";

/** One row of the activity log: the caller, their address, and the record's values before the change. */
export function Change({ row, title }: { readonly row: Row; readonly title: string }) {
  const close = async (): Promise<void> => {
    setQuery({ open: undefined });
    await picture();
    // Brings the row back into view as well, where the panel took the place of the list.
    document.querySelector<HTMLElement>(`a[href*="open=${row.id}"]`)?.focus();
  };
  useKeys({ Escape: () => void close() });
  useEffect(() => {
    if (matchMedia(INSTEAD_OF_LIST).matches) scrollTo(0, 0);
  }, []);
  const { epoch, ip, useragent } = row;
  const about = deedAbout(row);
  const path = pathOf(row);
  return (
    <Panel class="stay" title={title} more={<Button kind="bare" icon="x" label={frame("close")} onClick={close} />}>
      <Pairs
        facts={[
          { name: t("when"), value: exact(epoch) },
          { name: t("who"), value: personName(actorOf(row)) },
          about && about !== title
            ? { name: t("about"), value: path && hasPage(path) ? <More href={href(path)}>{about}</More> : about }
            : undefined,
          ip ? { name: t("from"), value: ip } : undefined,
          useragent ? { name: t("with"), value: useragent } : undefined,
        ]}
      />
      <What row={row} />
    </Panel>
  );
}

/** The record in a row, unless the row only names it. */
function stateOf(row: Row): Told | undefined {
  const told = recordOf(row);
  return told && isState(told) ? told : undefined;
}

function What({ row }: { readonly row: Row }) {
  const record = stateOf(row);
  const found = useLoad(`activity before ${row.id}`, async (signal) => {
    if (!record?.id) return undefined;
    const before = (rows: readonly Row[]) => {
      const at = rows.findIndex(({ id }) => id === row.id);
      const older = at < 0 ? [] : rows.slice(at + 1).map(stateOf);
      return older.find((one) => one?.member === record.member && one.id === record.id)?.value;
    };
    const query = `keywords:"${record.id}" date:<=${Math.ceil(row.epoch)}`;
    const rows = await readAll(
      (offset) => api.searchActivity({ query, limit: MOST, offset }, { signal }),
      (found) => found.length >= MOST_PASSED || before(found) !== undefined,
    );
    return before(rows) ?? null;
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
