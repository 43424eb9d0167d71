import { useMemo } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { listed, listedOne, titleOf } from "../../data/records/lists.ts";
import { plainTitle } from "../../data/series/charts.ts";
import { unitOf } from "../../data/series/timeline.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Missing } from "../../frame/gone.tsx";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Empty } from "../../parts/basic/states.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { type Unit, unitText } from "../../parts/plot/unit.ts";
import { href, place } from "../../router/router.ts";
import { when } from "../../texts/format.ts";
import { nameOf } from "../snapshots/index.tsx";
import { t } from "../snapshots/texts.ts";
import { appeared, type Change, type Counted, changedReadings, changeText, type Moment } from "./difference.ts";

type Whole = Awaited<ReturnType<typeof api.getSnapshot>>["snapshot"];

/** The differences between two snapshots, the earlier one first. */
export function Page() {
  const { a = "", b = "" } = place.value.query;
  useCrumbs([{ title: t("title"), href: href("/snapshots") }, { title: t("compare") }]);
  const found = useLoad(`snapshots ${a} ${b}`, async (signal) => {
    if (!a || !b) return undefined;
    const [first, second] = await Promise.all([
      api.getSnapshot({ id: a }, { signal }),
      api.getSnapshot({ id: b }, { signal }),
    ]);
    return [first.snapshot, second.snapshot].toSorted((left, right) => left.date - right.date) as [Whole, Whole];
  });
  if (!a || !b) return <NothingChosen />;
  const both = found.data.value;
  return both ? <Both first={both[0]} second={both[1]} /> : <Missing of={found} gone={t("gone")} />;
}

const NothingChosen = () => (
  <>
    <Head title={t("compare")} />
    <Empty
      action={
        <a class="btn" href={href("/snapshots")}>
          {t("title")}
        </a>
      }
    >
      {t("chooseTwo")}
    </Empty>
  </>
);

interface BothProps {
  readonly first: Whole;
  readonly second: Whole;
}

const momentOf = ({ data }: Whole): Moment => (data ?? {}) as Moment;
const labelOf = (shot: Whole): string => t("atThen", { name: nameOf(shot), at: when(shot.date) });

function Both({ first, second }: BothProps) {
  const monitors = (listed("monitors") ?? []).filter(({ delta }) => !delta).map(({ id }) => id);
  const [before, after] = [momentOf(first), momentOf(second)];
  const changes = changedReadings(before, after, monitors);
  const columns = useMemo(() => changeColumns(first, second), [first, second]);
  const isOfServers = first.type === "server" && second.type === "server";
  return (
    <>
      <Head title={t("two", { a: labelOf(first), b: labelOf(second) })} />
      {isOfServers ? (
        <div class="stack">
          <Panel title={t("readings")} count={changes.length}>
            {changes.length === 0 ? (
              <Empty>{t("same")}</Empty>
            ) : (
              <Table label={t("readings")} columns={columns} rows={changes} keyOf={({ id }) => id} />
            )}
          </Panel>
          <div class="grid">
            <div class="c6">
              <Commands title={t("appeared")} rows={appeared(before, after)} />
            </div>
            <div class="c6">
              <Commands title={t("vanished")} rows={appeared(after, before)} />
            </div>
          </div>
        </div>
      ) : (
        <Empty>{t("onlyServers")}</Empty>
      )}
    </>
  );
}

const unitFor = (id: string): Unit => unitOf(listedOne("monitors", id) ?? {});
const shown = (id: string, value: number | undefined): string =>
  value === undefined ? "–" : unitText(value, unitFor(id));

const changeColumns = (first: Whole, second: Whole): readonly Column<Change>[] => [
  {
    key: "reading",
    title: () => t("reading"),
    cell: ({ id }) => <b class="cut">{plainTitle(titleOf("monitors", id))}</b>,
  },
  {
    key: "first",
    title: () => labelOf(first),
    width: "24%",
    rank: 3,
    isNumber: true,
    cell: (change) => shown(change.id, change.first),
  },
  {
    key: "second",
    title: () => labelOf(second),
    width: "24%",
    isNumber: true,
    cell: (change) => shown(change.id, change.second),
  },
  {
    key: "change",
    title: () => t("change"),
    width: "9rem",
    isNumber: true,
    cell: ({ id, first: from, second: to }) =>
      from === undefined || to === undefined ? "–" : changeText(from, to, unitFor(id), t("points")),
  },
];

const commandColumns: readonly Column<Counted>[] = [
  {
    key: "command",
    title: () => t("command"),
    cell: ({ command }) => (
      <span class="mono cut" dir="auto">
        {command}
      </span>
    ),
  },
  { key: "count", title: () => t("count"), width: "6rem", isNumber: true, cell: ({ count }) => count },
];

const Commands = ({ title, rows }: { readonly title: string; readonly rows: readonly Counted[] }) => (
  <Panel title={title} count={rows.length}>
    {rows.length === 0 ? (
      <Empty>{t("nothingAppeared")}</Empty>
    ) : (
      <Table label={title} columns={commandColumns} rows={rows} keyOf={({ command }) => command} />
    )}
  </Panel>
);
