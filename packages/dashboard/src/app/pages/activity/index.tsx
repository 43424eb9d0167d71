import { type Signal, useSignal } from "@preact/signals";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useLive } from "../../data/live.ts";
import { personName } from "../../data/people/person-name.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { AllMatching } from "../../parts/lists/all-matching.tsx";
import { Tail } from "../../parts/lists/load-more.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { FilterBar, type FilterField } from "../../parts/query/filter-bar.tsx";
import { TIME_WIDTH, Time } from "../../parts/time.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { actorOf, deedAbout, deedWords } from "../../texts/words/deeds.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { Change } from "./change.tsx";
import { t } from "./texts.ts";

const PAGE = 50;
export type Row = Awaited<ReturnType<typeof api.searchActivity>>["rows"][number];

/** The most frequently filtered actions, offered as choices. The field accepts any other action as well. */
const ACTIONS = [
  ...["user_login", "user_locked", "secret_access", "config_update", "event_update", "job_abort", "ticket_update"],
  ...[
    "apikey_create",
    "alert_update",
    "server_add",
    "server_remove",
    "state_update",
    "internal_job",
    "warning",
    "error",
  ],
].map((value) => ({ value, title: value }));

const EXPORTED = ["id", "epoch", "action", "username", "admin", "ip", "description", "keywords"];

const fields = (): Readonly<Record<string, FilterField>> => ({
  action: { title: t("action"), values: () => ACTIONS },
  keywords: { title: t("keywords") },
  date: { title: t("date") },
});

const columns: readonly Column<Row>[] = [
  {
    key: "action",
    title: () => t("what"),
    cell: (row) => (
      <a class="whole cut" href={href("/activity", { ...place.value.query, open: row.id })} dir="auto">
        {deedWords(row) && <b>{deedWords(row)} </b>}
        {deedWords(row) ? <span class="dim">{deedAbout(row)}</span> : <b>{deedAbout(row)}</b>}
      </a>
    ),
  },
  {
    key: "who",
    title: () => t("who"),
    rank: 3,
    width: "9rem",
    cell: (row) => (
      <span class="dim cut" dir="auto">
        {personName(actorOf(row))}
      </span>
    ),
  },
  { key: "ip", title: () => t("from"), rank: 2, width: "9rem", cell: ({ ip }) => <span class="dim mono">{ip}</span> },
  {
    key: "time",
    title: () => t("when"),
    isNumber: true,
    width: TIME_WIDTH,
    cell: ({ epoch }) => <Time at={epoch} />,
  },
];

/** The activity log: what people and the engine did, newest first, each row with its changes. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const { q = "", open } = place.value.query;
  const limit = useSignal(PAGE);
  const found = useActivity(q, limit.value);
  const answer = found.data.value;
  const current = answer?.rows.find(({ id }) => id === open);
  return (
    <>
      <Head title={t("title")} note={t("summary")} />
      <div class={current ? "beside open" : ""}>
        <Panel
          title={t("rows")}
          count={answer?.list.length}
          more={<AllMatching index="activity" query={q || "*"} total={answer?.list.length ?? 0} columns={EXPORTED} />}
        >
          <FilterBar
            label={t("find")}
            query={q}
            onQuery={(next) => setQuery({ q: next })}
            fields={fields()}
            placeholder={t("placeholder")}
          />
          <WhenLoaded of={found} rows={12}>
            {({ rows, list }) => (
              <Rows rows={rows} total={list.length} open={open} question={`${q} ${limit.value}`} limit={limit} />
            )}
          </WhenLoaded>
        </Panel>
        {current && <Change key={current.id} row={current} title={deedWords(current) || deedAbout(current)} />}
      </div>
    </>
  );
}

interface RowsProps {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly open: string | undefined;
  readonly question: string;
  readonly limit: Signal<number>;
}

function Rows({ rows, total, open, question, limit }: RowsProps) {
  if (rows.length === 0)
    return (
      <Empty action={<Button onClick={() => setQuery({ q: undefined })}>{frame("clearFilters")}</Button>}>
        {frame("nothingFits")}
      </Empty>
    );
  return (
    <>
      <Table
        label={t("rows")}
        columns={columns}
        rows={rows}
        total={total}
        current={open}
        question={question}
        keyOf={({ id }) => id}
      />
      <Tail limit={limit} step={PAGE} shown={rows.length} all={total} hasCount />
    </>
  );
}

/** Searches the activity log again whenever a row is written. */
function useActivity(q: string, limit: number) {
  const found = useLoad(
    `activity ${q} ${limit}`,
    (signal) => api.searchActivity({ query: q || "*", limit: limit }, { signal }),
    q,
  );
  useLive("activity", () => void found.reload());
  useLive("back", () => void found.reload());
  return found;
}
