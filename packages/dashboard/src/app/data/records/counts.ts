import { computed, signal } from "@preact/signals";
import type { Api } from "@signalbox/client";
import { createQuestion, oneAtATime } from "../calls/load.ts";
import { readMost } from "../calls/read-all.ts";
import { api } from "../calls/session.ts";
import { onLive } from "../live.ts";
import { createRecords } from "./records.ts";

/** A job that has not ended. */
export type ActiveJob = Awaited<ReturnType<Api["getActiveJobs"]>>["rows"][number] & { readonly id: string };
/** One firing of an alert. */
export type Invocation = Awaited<ReturnType<Api["searchAlerts"]>>["rows"][number];

/** Firings per request, and in all. */
const [AT_ONCE, MOST] = [100, 2000];

/** Jobs that are not final, live. The channel sends them every second, except jobs in line. */
export const activeJobs = createRecords<ActiveJob>();
/** Ids of the jobs that lists show: all but quiet ones, which a trigger or a caller has marked to be hidden. */
export const listedJobs = computed(() => activeJobs.ids.value.filter((id) => !activeJobs.get(id)?.peek()["invisible"]));
/** The last answer with jobs that are not final. */
export const jobsRead = createQuestion(
  "active jobs",
  async () => {
    const { rows } = await api.getActiveJobs({});
    activeJobs.replace(rows as ActiveJob[]);
    return true;
  },
  undefined,
);
/** The last answer with alerts that fire now. */
export const alertsRead = createQuestion(
  "firing alerts",
  () => readMost((offset) => api.searchAlerts({ query: "active:true", limit: AT_ONCE, offset }), MOST),
  undefined,
);
/** Invocations that have not cleared, newest first. */
export const firing = computed<readonly Invocation[]>(() => alertsRead.data.value?.rows ?? []);
/** Number of firing invocations beyond `MOST`. */
export const furtherFiring = computed(() => alertsRead.data.value?.further ?? 0);
/** Firings for somebody to see to: nobody has acknowledged them, and nothing holds them back. */
const calling = computed(() => firing.value.filter(({ acknowledged, untold }) => !acknowledged && !untold));
/** Those firings on the servers of a group. */
export const callingIn = (group: string): readonly Invocation[] =>
  calling.value.filter(({ groups }) => groups.includes(group));
/** Number of open tickets; undefined until loaded. */
export const openTickets = signal<number | undefined>(undefined);

/** Counts beside the names in the navigation. */
export const counts = computed(() => ({
  alerts: calling.value.length + furtherFiring.value,
  tickets: openTickets.value ?? 0,
  jobs: listedJobs.value.length,
}));

/** Ignores errors: a count that cannot be read is not shown, and the page of its list says why. */
const inTurn = (read: () => Promise<void>): (() => Promise<void>) => oneAtATime(() => read().catch(() => undefined));

const loadTickets = inTurn(async () => {
  const { list } = await api.searchTickets({ query: "status:open|in_progress|on_hold", limit: 1, compact: true });
  openTickets.value = list.length;
});

interface Status {
  readonly activeJobs?: Record<string, ActiveJob>;
  readonly jobsChanged?: unknown;
  readonly numQueuedJobs?: number;
}

/** Loads all counts and keeps them up to date by the channel. Called once by the frame. */
export function startCounts(): void {
  const all = (): void => {
    for (const load of [jobsRead.reload, alertsRead.reload, loadTickets]) void load();
  };
  let queued: number | undefined;
  onLive("status", ({ activeJobs: told = {}, jobsChanged, numQueuedJobs = 0 }: Status) => {
    patchJobs(told);
    // The status does not contain jobs in line; they have moved when the length of the line changes.
    if (jobsChanged || (queued !== undefined && numQueuedJobs !== queued)) void jobsRead.reload();
    queued = numQueuedJobs;
  });
  onLive("update", (lists: Record<string, unknown>) => {
    if ("activeAlerts" in lists || "alerts" in lists) void alertsRead.reload();
  });
  onLive("single", ({ list }: { readonly list: string }) => {
    if (list === "tickets") void loadTickets();
  });
  onLive("back", all);
  all();
}

function patchJobs(told: Record<string, ActiveJob>): void {
  for (const [id, job] of Object.entries(told)) {
    if (activeJobs.get(id)) activeJobs.patch(id, job);
    else activeJobs.put({ ...job, id });
  }
}
