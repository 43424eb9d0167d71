import { readAll } from "../../../data/calls/read-all.ts";
import { api } from "../../../data/calls/session.ts";
import { jobState } from "../../../data/jobs/job-state.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { TONES } from "../../../parts/basic/basic.tsx";
import type { Happening, Lane } from "../../../parts/charts/lanes.tsx";
import type { Fired as Stretch } from "../../../parts/plot/geometry/drawing.ts";
import { href } from "../../../router/router.ts";
import { firingState, severityState } from "../../alerts/state.ts";
import { t } from "../texts.ts";

const MOST = 200;

type Fired = Awaited<ReturnType<typeof api.searchAlerts>>["rows"][number];
type Job = Awaited<ReturnType<typeof api.searchJobs>>["rows"][number];

export interface Happened {
  readonly alerts: readonly Fired[];
  readonly jobs: readonly Job[];
}

export const NOTHING: Happened = { alerts: [], jobs: [] };

/** Number of jobs read from after the range: some of them started within it. */
const BEHIND = 50;

/**
 * Upper bound on the rows read. A search matches dates only to the hour, so the answer may begin with newer rows, which
 * are skipped.
 */
const MOST_PASSED = 2000;

const each = <Row extends { readonly id?: string | undefined }>(...lists: readonly (readonly Row[])[]): Row[] => [
  ...new Map(lists.flat().map((row) => [row.id, row])).values(),
];

/** Alerts and jobs of a server in a range of time, newest first. */
export async function readHappened(
  { server, from, to }: { readonly server: string; readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<Happened> {
  const query = `server:${server}`;
  const [begin, end] = [Math.floor(from), Math.ceil(to)];
  const [alerts, live, jobs, later, active] = await Promise.all([
    api.searchAlerts({ query: `${query} start:<=${end} end:>=${begin}`, limit: MOST }, { signal }),
    api.searchAlerts({ query: `${query} active:true`, limit: MOST }, { signal }),
    readAll(
      (offset) => api.searchJobs({ query: `${query} date:${begin}..${end}`, limit: MOST, offset }, { signal }),
      (found) => found.length >= MOST_PASSED || (found.at(-1)?.completed ?? 0) < begin,
    ),
    api.searchJobs({ query: `${query} date:>${end}`, limit: BEHIND, sort_by: "completed", sort_dir: 1 }, { signal }),
    api.getActiveJobs({}, { signal }),
  ]);
  const running = active.rows.filter((job) => job.server === server) as readonly Job[];
  return { alerts: each(live.rows, alerts.rows), jobs: each(running, jobs, later.rows) };
}

const isWithin = (from: number, to: number) => (item: Pick<Happening, "from" | "to">) =>
  item.to >= from && item.from <= to;

/** The two lanes above the charts: alerts and jobs. */
export function lanesOf({ alerts, jobs }: Happened, from: number, to: number): Lane[] {
  const fired = alerts.map(
    ({ id, alert, date, active, modified, severity, acknowledged }): Happening => ({
      key: id,
      from: date,
      to: active ? to : modified,
      title: titleOf("alerts", alert),
      href: href(`/alerts/${id}`),
      tone: TONES[firingState({ severity, acknowledged })],
    }),
  );
  const ran = jobs.flatMap((job): Happening[] => {
    const { id = "", event, started, completed } = job;
    const tone = TONES[jobState(job)];
    if (!started) return [];
    return [
      { key: id, from: started, to: completed ?? to, title: titleOf("events", event), tone, href: href(`/jobs/${id}`) },
    ];
  });
  return [
    { name: t("alerts"), items: fired.filter(isWithin(from, to)) },
    { name: t("jobs"), items: ran.filter(isWithin(from, to)) },
  ];
}

/** When each rule fired, for the background of the charts. */
export function firingTimes({ alerts }: Happened, to: number): Record<string, Stretch[]> {
  const times: Record<string, Stretch[]> = {};
  for (const { alert, date, active, modified, severity } of alerts) {
    const known = times[alert] ?? [];
    known.push([date, active ? to : modified, TONES[severityState(severity)]]);
    times[alert] = known;
  }
  return times;
}
