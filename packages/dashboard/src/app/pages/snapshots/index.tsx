import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { personName } from "../../data/people/person-name.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { Empty, NoneInReach, WhenLoaded } from "../../parts/basic/states.tsx";
import { Tail } from "../../parts/lists/load-more.tsx";
import { createSelection, SelectionBar } from "../../parts/lists/selection.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { FilterBar, type FilterField } from "../../parts/query/filter-bar.tsx";
import { TIME_WIDTH, TimeAndAge } from "../../parts/time.tsx";
import { go, href, place, setQuery } from "../../router/router.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { t } from "./texts.ts";

export type Snapshot = Awaited<ReturnType<typeof api.searchSnapshots>>["rows"][number];

const PAGE = 50;

const fields = (): Readonly<Record<string, FilterField>> => ({
  server: {
    title: t("server"),
    values: () => (listed("servers") ?? []).map(({ id }) => ({ value: id, title: titleOf("servers", id) })),
  },
  groups: {
    title: t("group"),
    values: () => (listed("groups") ?? []).map(({ id }) => ({ value: id, title: titleOf("groups", id) })),
  },
  source: {
    title: t("source"),
    values: () => (["user", "watch", "alert", "job"] as const).map((value) => ({ value, title: t(`source_${value}`) })),
  },
  type: { title: t("type"), values: () => (["server", "group"] as const).map((value) => ({ value, title: t(value) })) },
  date: { title: t("taken") },
});

/** Title of the server or group of a snapshot. */
export const nameOf = ({ type, server, groups }: Pick<Snapshot, "type" | "server" | "groups">): string =>
  type === "group" ? titleOf("groups", groups[0]) : titleOf("servers", server);

const columns: readonly Column<Snapshot>[] = [
  {
    key: "name",
    title: () => t("of"),
    cell: (shot) => (
      <span class="cell">
        <Icon name={shot.type === "group" ? "stack" : "server"} />
        <a class="whole cut" href={href(`/snapshots/${shot.id}`)} dir="auto">
          <b>{nameOf(shot)}</b>
        </a>
      </span>
    ),
  },
  {
    key: "source",
    title: () => t("source"),
    width: "12rem",
    rank: 3,
    cell: ({ source, username }) => <span class="dim cut">{personName(username ?? "") || t(`source_${source}`)}</span>,
  },
  {
    key: "alerts",
    title: () => t("alerts"),
    width: "6rem",
    rank: 2,
    isNumber: true,
    cell: ({ alerts }) => alerts.length || <span class="dimmer">–</span>,
  },
  {
    key: "jobs",
    title: () => t("jobs"),
    width: "6rem",
    rank: 2,
    isNumber: true,
    cell: ({ jobs }) => jobs.length || <span class="dimmer">–</span>,
  },
  {
    key: "date",
    title: () => t("taken"),
    width: TIME_WIDTH,
    isNumber: true,
    cell: ({ date }) => <TimeAndAge at={date} />,
  },
];

/** All snapshots of servers and groups. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const query = place.value.query["q"] ?? "";
  const limit = useSignal(PAGE);
  const selection = useMemo(createSelection, []);
  const found = useSnapshots(query, limit.value);
  const total = found.data.value?.list.length;
  return (
    <>
      <Head title={total ? t("counted", { n: total }) : t("title")} />
      <Panel title={t("all")} count={total}>
        <FilterBar
          {...{ label: t("filter"), query, fields: fields(), placeholder: t("placeholder") }}
          onQuery={(q) => setQuery({ q })}
        />
        <WhenLoaded of={found} rows={8}>
          {({ rows, list }) => (
            <>
              <Rows {...{ rows, query, selection, total: list.length }} question={`${query} ${limit.value}`} />
              <Tail limit={limit} step={PAGE} shown={rows.length} all={list.length} />
            </>
          )}
        </WhenLoaded>
      </Panel>
      <SelectionBar selection={selection}>
        <Chosen
          ids={[...selection.ids.value]}
          done={async () => {
            selection.clear();
            await found.reload();
          }}
        />
      </SelectionBar>
    </>
  );
}

const keyOf = ({ id }: Snapshot): string => id;

const None = ({ query }: { readonly query: string }) =>
  query ? (
    <Empty action={<Button onClick={() => setQuery({ q: undefined })}>{frame("clearFilters")}</Button>}>
      {frame("nothingFits")}
    </Empty>
  ) : (
    <NoneInReach>{t("none")}</NoneInReach>
  );

interface ChosenProps {
  readonly ids: readonly string[];
  readonly done: () => Promise<void>;
}

function Chosen({ ids, done }: ChosenProps) {
  const remove = async (): Promise<void> => {
    if (!(await confirm({ title: t("removeSure", { n: ids.length }), text: t("removeWhy"), verb: t("remove") })))
      return;
    await act("delete snapshots", {
      run: async () => {
        for (const id of ids) await api.deleteSnapshot({ id });
      },
      done: t("removed", { n: ids.length }),
    });
    await done();
  };
  return (
    <>
      <Button
        isDisabled={ids.length !== 2}
        title={t("compareTwo")}
        onClick={() => go(`/snapshots/compare?a=${ids[0]}&b=${ids[1]}`)}
      >
        {t("compare")}
      </Button>
      {can("delete_snapshots") && (
        <Button kind="danger" icon="trash" onClick={remove}>
          {t("remove")}
        </Button>
      )}
    </>
  );
}

function useSnapshots(query: string, limit: number) {
  const found = useLoad(
    `snapshots ${query} ${limit}`,
    (signal) => api.searchSnapshots({ query: query || "*", limit: limit }, { signal }),
    query,
  );
  usePolling(60, found.reload);
  return found;
}

interface RowsProps {
  readonly rows: readonly Snapshot[];
  readonly total: number;
  readonly query: string;
  readonly selection: ReturnType<typeof createSelection>;
  readonly question: string;
}

const Rows = ({ rows, total, query, selection, question }: RowsProps) =>
  rows.length === 0 ? (
    <None query={query} />
  ) : (
    <Table {...{ label: t("all"), columns, rows, keyOf, selection, nameOf, total, question }} />
  );
