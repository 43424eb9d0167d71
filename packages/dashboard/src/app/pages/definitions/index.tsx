import { can } from "../../data/calls/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { Empty, NoneInReach, Outline } from "../../parts/basic/states.tsx";
import { type Column, sorted, Table } from "../../parts/lists/table.tsx";
import { FindField } from "../../parts/query/find-field.tsx";
import { textsIn } from "../../parts/query/texts-in.ts";
import { href, place, setQuery } from "../../router/router.ts";
import { t as frame } from "../../texts/words/frame.ts";
import type { PageProps } from "../page.ts";
import { New, One } from "./editor/one.tsx";
import type { Definition, Kind } from "./kind.ts";
import { t } from "./texts.ts";

/** The pages of a kind: its list, the form for a new record, and one record. */
export const pageOf = (kind: Kind) =>
  function Page({ params: { id }, route }: PageProps) {
    if (route.endsWith("/new")) return <New kind={kind} />;
    return id ? <One kind={kind} id={id} /> : <List kind={kind} />;
  };

function List({ kind }: { readonly kind: Kind }) {
  const { title, create, summary } = kind.texts();
  useCrumbs([{ title }]);
  const { Above } = kind;
  return (
    <>
      <Head
        title={title}
        {...(summary ? { note: summary } : {})}
        actions={
          can(kind.needs.create) && (
            <a class="btn primary" href={href(`${kind.path}/new`)}>
              <Icon name="plus" />
              {create}
            </a>
          )
        }
      />
      {Above && <Above />}
      <Rows kind={kind} />
    </>
  );
}

function Rows({ kind }: { readonly kind: Kind }) {
  const rows = kind.useRows();
  const { q = "", sort } = place.value.query;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows?.filter((row) => words.every((word) => textsIn(row).toLowerCase().includes(word)));
  const { title, empty } = kind.texts();
  if (!rows || !found) return <Outline rows={6} />;
  if (rows.length === 0)
    return (
      <Panel title={t("allOf")} count={0}>
        {kind.isReached ? <NoneInReach>{empty}</NoneInReach> : <Empty>{empty}</Empty>}
      </Panel>
    );
  return (
    <Panel title={t("allOf")} count={found.length}>
      <div class="filters" role="search" aria-label={t("find")}>
        <FindField label={t("find")} placeholder={t("findPlaceholder")} value={q} />
      </div>
      {found.length === 0 ? (
        <Empty action={<Button onClick={() => setQuery({ q: undefined })}>{frame("clearFilters")}</Button>}>
          {frame("nothingFits")}
        </Empty>
      ) : (
        <Table
          label={title}
          columns={kind.columns}
          sort={sort}
          rows={sorted(found, sort ?? kind.order ?? "title", sortable(kind.columns))}
          keyOf={({ id }) => id}
          question={`${q} ${sort}`}
          onSort={(next) => setQuery({ sort: next })}
        />
      )}
    </Panel>
  );
}

/** Makes columns sortable by the member that their key names. */
const sortable = (columns: readonly Column<Definition>[]) =>
  Object.fromEntries(
    columns.flatMap(({ sort }) =>
      sort
        ? [
            [
              sort,
              (row: Definition) => (typeof row[sort] === "number" ? (row[sort] as number) : String(row[sort] ?? "")),
            ],
          ]
        : [],
    ),
  );
