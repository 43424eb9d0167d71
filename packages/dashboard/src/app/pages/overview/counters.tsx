import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useFreshJobs } from "../../data/jobs/fresh-jobs.ts";
import { openTickets } from "../../data/records/counts.ts";
import { Columns, Spark } from "../../parts/charts/gauges.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { number } from "../../texts/format.ts";
import { type overviewTexts, t } from "./texts.ts";

type Counts = Readonly<Record<string, number>>;

const DAYS = 14;

interface Day {
  readonly date: string;
  readonly counts: Counts;
}

const DAY_MS = 86_400_000;
const isNext = (day: Day, after: Day): boolean =>
  Math.round((Date.parse(after.date) - Date.parse(day.date)) / DAY_MS) === 1;

/** Reads the counters of the last days, today last. Adds an empty yesterday if it has no row, because nothing was counted. */
async function readDays(): Promise<readonly Day[]> {
  const { items } = await api.searchStatHistory({ path: "transactions", limit: DAYS, current_day: true });
  const days = items.map(({ date, data }): Day => ({ date, counts: (data ?? {}) as Counts })).reverse();
  const [today, before] = [days.at(-1), days.at(-2)];
  if (!today || !before || isNext(before, today)) return days;
  return [...days.slice(0, -1), { date: today.date, counts: {} }, today];
}

const sum = (counts: Counts | undefined, names: readonly string[]): number =>
  names.reduce((total, name) => total + (counts?.[name] ?? 0), 0);

interface Counter {
  readonly title: keyof typeof overviewTexts;
  /** Names of the day's counters that are added up. */
  readonly of: readonly string[];
  readonly isBad?: boolean;
  /** Path and query of the list that shows the counted rows. */
  readonly list?: Parameters<typeof href> | undefined;
}

const COUNTERS: readonly Counter[] = [
  { title: "finished", of: ["job_complete"], list: ["/jobs", { q: "date:today" }] },
  {
    title: "failedCount",
    of: ["job_error", "job_critical"],
    isBad: true,
    list: ["/jobs", { q: "date:today tags:_error" }],
  },
  { title: "alertsCount", of: ["alert_new"], isBad: true, list: ["/alerts"] },
  { title: "messages", of: ["email_sent"] },
];

/** Today's counters, with a chart of the last two weeks. */
export function Counters() {
  const days = useLoad("days", readDays);
  useFreshJobs(days.reload);
  const known = days.data.value;
  return (
    <dl class="strip g-strip" aria-label={t("today")}>
      {COUNTERS.map((counter) => (
        <Count key={counter.title} counter={counter} values={known?.map(({ counts }) => sum(counts, counter.of))} />
      ))}
      <div>
        <dt>
          <Title title="tickets" list={["/tickets"]} />
        </dt>
        <dd>{openTickets.value === undefined ? "–" : number(openTickets.value)}</dd>
      </div>
    </dl>
  );
}

/** Links to the list behind the counter if the viewer may see that page. */
function Title({ title, list }: Pick<Counter, "title" | "list">) {
  return list && hasPage(list[0]) ? <a href={href(...list)}>{t(title)}</a> : t(title);
}

interface CountProps {
  readonly counter: Counter;
  /** Undefined until loaded, which is shown differently from 0. */
  readonly values: readonly number[] | undefined;
}

function Count({ counter: { title, isBad = false, list }, values: known }: CountProps) {
  const values = known ?? [];
  const value = values.at(-1) ?? 0;
  const hasPast = values.length > 1;
  const shape = isBad ? <Columns values={values} tone={value > 0 ? "crit" : "quiet"} /> : <Spark values={values} />;
  return (
    <div>
      <dt>
        <Title title={title} list={list} />
      </dt>
      <dd>{known ? number(value) : "–"}</dd>
      {hasPast && <dd class="sp">{shape}</dd>}
      {hasPast && <dd class="nt">{t("yesterday", { n: values.at(-2) ?? 0 })}</dd>}
    </div>
  );
}
