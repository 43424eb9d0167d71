import { useMemo } from "preact/hooks";
import { can } from "../../data/calls/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { NoneInReach, WhenLoaded } from "../../parts/basic/states.tsx";
import { sorted, Table } from "../../parts/lists/table.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { columns, mayChange, type Silence } from "./columns.tsx";
import { useSilences } from "./data.ts";
import { SilenceForm } from "./form.tsx";
import { t } from "./texts.ts";

/** Current, future and recurring silences. */
export function Page() {
  useCrumbs([{ title: t("alerts"), href: href("/alerts") }, { title: t("title") }]);
  const silences = useSilences();
  const { edit } = place.value.query;
  const rows = silences.data.value?.rows;
  const inForce = rows?.filter(({ in_force }) => in_force).length ?? 0;
  const chosen = rows?.find(({ id }) => id === edit);
  return (
    <>
      <Head
        title={inForce > 0 ? t("inForce", { n: inForce }) : t("noneInForce")}
        actions={
          can("silence_alerts") && (
            <Button kind="primary" icon="plus" onClick={() => setQuery({ edit: "new" })}>
              {t("create")}
            </Button>
          )
        }
      />
      <Panel title={t("all")} count={rows?.length}>
        <WhenLoaded of={silences} rows={5}>
          {({ rows: known }) => <List rows={known as readonly Silence[]} reload={silences.reload} />}
        </WhenLoaded>
      </Panel>
      {edit && (edit === "new" ? can("silence_alerts") : chosen && mayChange(chosen as Silence)) && (
        <SilenceForm
          key={edit}
          silence={chosen as Silence | undefined}
          onDone={silences.reload}
          onClose={() => setQuery({ edit: undefined })}
        />
      )}
    </>
  );
}

const keyOf = ({ id }: Silence): string => id;
const orders = {
  name: ({ title }: Silence) => title,
  state: ({ in_force, end }: Silence) => (in_force ? Number.MAX_SAFE_INTEGER : (end ?? Number.MAX_SAFE_INTEGER - 1)),
};

interface ListProps {
  readonly rows: readonly Silence[];
  readonly reload: () => Promise<void>;
}

function List({ rows, reload }: ListProps) {
  const { sort } = place.value.query;
  const cells = useMemo(() => columns(reload), [reload]);
  return rows.length === 0 ? (
    <NoneInReach>{t("none")}</NoneInReach>
  ) : (
    <Table
      label={t("all")}
      columns={cells}
      keyOf={keyOf}
      sort={sort}
      rowHeight={40}
      rows={sorted(rows, sort ?? "-state", orders)}
      onSort={(next) => setQuery({ sort: next })}
    />
  );
}
