import { useMemo } from "preact/hooks";
import { can } from "../../data/calls/session.ts";
import { useNodeNames } from "../../data/nodes.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { Empty, Failed, NoneInReach, Outline } from "../../parts/basic/states.tsx";
import { createSelection, type Selection, SelectionBar } from "../../parts/lists/selection.tsx";
import { sorted, Table } from "../../parts/lists/table.tsx";
import { FilterBar, type FilterField } from "../../parts/query/filter-bar.tsx";
import { isMeant, termsOf } from "../../parts/query/terms.ts";
import { go, href, place, setQuery } from "../../router/router.ts";
import { duration, now } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { columns } from "./columns.tsx";
import { Install } from "./install.tsx";
import { diskOf, type Machine, nameOf, useFullTimes, useMachines, useQuick } from "./machines.ts";
import { t } from "./texts.ts";
import { Upgrade } from "./upgrade.tsx";

const choices = (name: "groups") => () =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

const fields = (nodes: ReadonlyMap<string, string>): Readonly<Record<string, FilterField>> => ({
  ...(nodes.size > 0
    ? { node: { title: t("node"), values: () => [...nodes].map(([value, title]) => ({ value, title })) } }
    : {}),
  group: { title: t("group"), values: choices("groups") },
  state: {
    title: t("state"),
    values: () => ["online", "offline", "off"].map((value) => ({ value, title: t(value as "online") })),
  },
});

/** True if a server matches the chips and words of the filter. */
function fits({ record, isOnline }: Machine, query: string): boolean {
  return termsOf(query).every((term) => {
    const { field, value } = term;
    if (field === "group") return isMeant(term, (one) => record.groups.includes(one));
    if (field === "node") return isMeant(term, (one) => record.node === one);
    if (field === "state")
      return isMeant(term, (one) => (one === "off" ? !record.enabled : (one === "online") === isOnline));
    const { hostname, ip, title, keywords = "", id } = record;
    return `${id} ${hostname} ${ip} ${title ?? ""} ${keywords}`.toLowerCase().includes(value.toLowerCase());
  });
}

const SOON = 7 * 86_400;

/** All servers, and which of them run out of disk space. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const { machines, error, reload } = useMachines();
  const full = useFullTimes(machines);
  const nodes = useNodeNames();
  const selection = useMemo(createSelection, []);
  const online = machines?.filter(({ isOnline }) => isOnline).length ?? 0;
  const query = place.value.query["q"] ?? "";
  return (
    <>
      <Head title={sentence(machines, full.value)} actions={<Acts isPair={(machines?.length ?? 0) > 1} />} />
      <Panel title={t("all")} count={machines && t("counted", { online, all: machines.length })}>
        <FilterBar
          label={t("filter")}
          query={query}
          onQuery={(q) => setQuery({ q })}
          fields={fields(nodes)}
          placeholder={t("placeholder")}
        />
        {machines ? (
          <Machines machines={machines} nodes={nodes} full={full} selection={selection} query={query} />
        ) : error ? (
          <Failed error={error} onRetry={reload} />
        ) : (
          <Outline rows={8} />
        )}
      </Panel>
      <Chosen machines={machines} selection={selection} />
    </>
  );
}

interface ChosenProps {
  readonly machines: readonly Machine[] | undefined;
  readonly selection: Selection;
}

/** What can be done with the selected servers. */
function Chosen({ machines, selection }: ChosenProps) {
  const ids = [...selection.ids.value];
  const isUpgrading = place.value.query["upgrade"] === "1" && can("admin") && ids.length > 0;
  return (
    <>
      <SelectionBar selection={selection}>
        <Button
          isDisabled={ids.length !== 2}
          title={t("compareTwo")}
          onClick={() => go(`/servers/compare?a=${ids[0]}&b=${ids[1]}`)}
        >
          {t("compare")}
        </Button>
        {can("admin") && <Button onClick={() => setQuery({ upgrade: "1" })}>{t("upgrade")}</Button>}
      </SelectionBar>
      {isUpgrading && machines && (
        <Upgrade
          machines={machines.filter(({ record }) => selection.ids.value.has(record.id))}
          onClose={() => setQuery({ upgrade: undefined })}
          onDone={selection.clear}
        />
      )}
    </>
  );
}

interface MachinesProps {
  readonly machines: readonly Machine[];
  readonly nodes: ReadonlyMap<string, string>;
  readonly full: ReturnType<typeof useFullTimes>;
  readonly selection: Selection;
  readonly query: string;
}

function Machines({ machines, nodes, full, selection, query }: MachinesProps) {
  const sort = place.value.query["sort"];
  const quick = useQuick();
  const rows = useMemo(() => {
    const fitting = machines.filter((machine) => fits(machine, query));
    return sorted(fitting, sort, orders(full.value, nodes));
  }, [machines, query, sort, full.value, nodes]);
  const cells = useMemo(() => columns({ nodes, quick, full }), [nodes, quick, full]);
  if (machines.length === 0) return <NoneInReach>{t("none")}</NoneInReach>;
  if (rows.length === 0)
    return (
      <Empty action={<Button onClick={() => setQuery({ q: undefined })}>{frame("clearFilters")}</Button>}>
        {frame("nothingFits")}
      </Empty>
    );
  return (
    <Table
      label={t("table")}
      columns={cells}
      rows={rows}
      keyOf={keyOf}
      selection={selection}
      nameOf={nameOf}
      sort={sort}
      rowHeight={40}
      question={`${query} ${sort}`}
      onSort={(next) => setQuery({ sort: next })}
    />
  );
}

const keyOf = ({ record }: Machine): string => record.id;

const orders = (
  full: ReadonlyMap<string, number>,
  nodes: ReadonlyMap<string, string>,
): Readonly<Record<string, (machine: Machine) => string | number>> => ({
  name: nameOf,
  node: ({ record }) => nodes.get(record.node ?? "") ?? "",
  disk: (machine) => diskOf(machine) ?? -1,
  full: ({ record }) => full.get(record.id) ?? Number.MAX_SAFE_INTEGER,
  seen: ({ record }) => record.modified,
});

/** Says which servers need attention: servers whose disk fills up soon, or, without any, the offline servers. */
function sentence(machines: readonly Machine[] | undefined, full: ReadonlyMap<string, number>): string {
  if (!machines) return t("title");
  const soon = machines.filter(({ record }) => (full.get(record.id) ?? Number.POSITIVE_INFINITY) - now.value < SOON);
  const [first] = soon.toSorted((left, right) => (full.get(left.record.id) ?? 0) - (full.get(right.record.id) ?? 0));
  if (soon.length === 1 && first)
    return t("oneFull", {
      server: nameOf(first),
      time: duration(Math.max(0, (full.get(first.record.id) ?? 0) - now.value)),
    });
  if (soon.length > 1) return t("someFull", { n: soon.length });
  const gone = machines.filter(({ isOnline, record }) => !isOnline && record.enabled).length;
  return gone > 0 ? t("someGone", { n: gone }) : t("allHere", { n: machines.length });
}

function Acts({ isPair }: { readonly isPair: boolean }) {
  const isOpen = place.value.query["add"] === "1";
  return (
    <>
      {isPair && (
        <a class="btn" href={href("/servers/compare")}>
          {t("compare")}
        </a>
      )}
      {can("add_servers") && (
        <Button kind="primary" onClick={() => setQuery({ add: "1" })}>
          <Icon name="plus" />
          {t("add")}
        </Button>
      )}
      {isOpen && can("add_servers") && <Install onClose={() => setQuery({ add: undefined })} />}
    </>
  );
}
