import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useLoad } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import type { Invocation } from "../../../data/records/counts.ts";
import { Mark, Panel } from "../../../parts/basic/basic.tsx";
import { Empty, WhenLoaded } from "../../../parts/basic/states.tsx";
import { Tail } from "../../../parts/lists/load-more.tsx";
import { type Column, Table } from "../../../parts/lists/table.tsx";
import { FilterBar, type FilterField } from "../../../parts/query/filter-bar.tsx";
import { TIME_WIDTH, Time } from "../../../parts/time.tsx";
import { href, place, setQuery } from "../../../router/router.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import { type Notice, type Receiver, type Route, readFirings, receiverName, useNoticeNews } from "../data.ts";
import { t } from "../texts.ts";
import { aboutWords, firingsOf, outcomeState } from "../words.ts";

const PAGE = 50;
const KINDS = [
  "firing",
  "update",
  "repeat",
  "flapping",
  "settled",
  "escalation",
  "acknowledged",
  "digest",
  "cleared",
  "receiver_dead",
  "receiver_back",
] as const;
const OUTCOMES = ["pending", "sent", "failed", "skipped"] as const;

interface Known {
  readonly receivers: readonly Receiver[] | undefined;
  readonly routes: readonly Route[] | undefined;
}

const fieldsOf = ({ receivers = [], routes = [] }: Known): Readonly<Record<string, FilterField>> => ({
  receiver: { title: t("receiver"), values: () => receivers.map(({ id, title }) => ({ value: id, title })) },
  route: { title: t("route"), values: () => routes.map(({ id, title }) => ({ value: id, title })) },
  kind: { title: t("kind"), values: () => KINDS.map((value) => ({ value, title: t(`kind.${value}`) })) },
  outcome: { title: t("outcome"), values: () => OUTCOMES.map((value) => ({ value, title: t(`outcome.${value}`) })) },
  date: { title: t("when") },
});

/** A notice with the first of its firings. */
interface Row extends Notice {
  readonly first: Invocation | undefined;
}

/** Searches notices, and reads the first firing of each. */
export async function readNotices(query: string, limit: number, signal: AbortSignal) {
  const { rows, list } = await api.searchNotices({ query, limit }, { signal });
  const ids = [...new Set(rows.map((notice) => firingsOf(notice)[0]).filter((id) => id !== undefined))];
  const firings = new Map((await readFirings(ids, signal)).map((firing) => [firing.id, firing]));
  return {
    rows: rows.map((row): Row => ({ ...row, first: firings.get(firingsOf(row)[0] ?? "") })),
    total: list.length,
  };
}

/** For example "CPU is busy on db-1 · 3 firings". */
function aboutOf({ first, ...notice }: Row): string {
  if (notice.turned) return notice.turned.title;
  const count = firingsOf(notice).length;
  const words = first ? aboutWords([first]) : "";
  return count > 1 ? `${words} · ${t("firings", { n: count })}` : words;
}

export const columnsOf = (receivers: readonly Receiver[] | undefined): readonly Column<Row>[] => [
  {
    key: "about",
    title: () => t("notice"),
    cell: (row) => (
      <span class="cell">
        <Mark state={outcomeState(row)} label={t(`outcome.${row.outcome}`)} />
        <a class="whole cut" href={href(`/notices/${row.id}`)} dir="auto">
          <b>{t(`kind.${row.kind}`)}</b> <span class="dim">{aboutOf(row)}</span>
        </a>
      </span>
    ),
  },
  {
    key: "receiver",
    title: () => t("receiver"),
    width: "24%",
    cell: (row) => (
      <span class="cut" dir="auto">
        {receiverName(receivers, row)}
      </span>
    ),
  },
  {
    key: "date",
    title: () => t("when"),
    width: TIME_WIDTH,
    isNumber: true,
    rank: 3,
    cell: ({ date }) => <Time at={date} />,
  },
];

/** Notices, newest first. */
export function NoticeList(known: Known) {
  const { q = "" } = place.value.query;
  const limit = useSignal(PAGE);
  const found = useLoad(`notices ${q} ${limit.value}`, (signal) => readNotices(q || "*", limit.value, signal), q);
  useNoticeNews(found.reload);
  const { receivers } = known;
  const columns = useMemo(() => columnsOf(receivers), [receivers]);
  const total = found.data.value?.total;
  return (
    <Panel title={t("notices")} count={total}>
      <FilterBar
        label={t("find")}
        query={q}
        fields={fieldsOf(known)}
        placeholder={t("placeholder")}
        onQuery={(next) => setQuery({ q: next })}
      />
      <WhenLoaded of={found} rows={6}>
        {({ rows, total: all }) =>
          rows.length === 0 ? (
            <Empty>{q ? frame("nothingFits") : t("noNotices")}</Empty>
          ) : (
            <>
              <Table
                label={t("notices")}
                columns={columns}
                rows={rows}
                total={all}
                question={`${q} ${limit.value}`}
                keyOf={({ id }) => id}
              />
              <Tail limit={limit} step={PAGE} shown={rows.length} all={all} hasCount />
            </>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}
