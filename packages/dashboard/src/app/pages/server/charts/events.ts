import { api } from "../../../data/calls/session.ts";
import { jobState } from "../../../data/jobs/job-state.ts";
import { titleOf } from "../../../data/records/lists.ts";
import type { Happening, Lane } from "../../../parts/charts/lanes.tsx";
import { href } from "../../../router/router.ts";
import { t } from "../texts.ts";

const MOST = 200;

type Fired = Awaited<ReturnType<typeof api.searchAlerts>>["rows"][number];
type Job = Awaited<ReturnType<typeof api.searchJobs>>["rows"][number];

export interface Happened {
  readonly alerts: readonly Fired[];
  readonly jobs: readonly Job[];
}

export const NOTHING: Happened = { alerts: [], jobs: [] };

/** Alerts and jobs of a server, the newest first; the lane shows the ones of its time. */
export async function readHappened(server: string, signal: AbortSignal): Promise<Happened> {
  const query = `server:${server}`;
  const [alerts, jobs, active] = await Promise.all([
    api.searchAlerts({ query, limit: MOST }, { signal }),
    api.searchJobs({ query, limit: MOST }, { signal }),
    api.getActiveJobs({}, { signal }),
  ]);
  const running = active.rows.filter((job) => job.server === server) as readonly Job[];
  return { alerts: alerts.rows, jobs: [...running, ...jobs.rows] };
}

const TONES = { crit: "crit", fail: "crit", warn: "warn", run: "run", ok: "ok" } as const;

const isWithin = (from: number, to: number) => (item: Pick<Happening, "from" | "to">) =>
  item.to >= from && item.from <= to;

/** The two lanes above the charts. */
export function lanesOf({ alerts, jobs }: Happened, from: number, to: number): Lane[] {
  const fired = alerts.map(
    ({ id, alert, date, active, modified, acknowledged }): Happening => ({
      ...{
        key: id,
        from: date,
        to: active ? to : modified,
        title: titleOf("alerts", alert),
        href: href(`/alerts/${id}`),
      },
      tone: acknowledged ? "hush" : "crit",
    }),
  );
  const ran = jobs.flatMap((job): Happening[] => {
    const { id = "", event, started, completed } = job;
    const state = jobState(job);
    const tone = TONES[state as keyof typeof TONES] ?? "none";
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

/** When which rule fired, for the ground of the charts. */
export function firingTimes({ alerts }: Happened, to: number): Record<string, [number, number][]> {
  const times: Record<string, [number, number][]> = {};
  for (const { alert, date, active, modified } of alerts) {
    const known = times[alert] ?? [];
    known.push([date, active ? to : modified]);
    times[alert] = known;
  }
  return times;
}
