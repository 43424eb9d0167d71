import { inTurns } from "../../../data/calls/in-turns.ts";
import { type Loaded, useLoad } from "../../../data/calls/load.ts";
import { readMost } from "../../../data/calls/read-all.ts";
import { api } from "../../../data/calls/session.ts";
import { useFreshJobs, usePolling } from "../../../data/jobs/fresh-jobs.ts";
import { useLive } from "../../../data/live.ts";
import { activeJobs, alertsRead, firing, furtherFiring, jobsRead } from "../../../data/records/counts.ts";
import { listedOne } from "../../../data/records/lists.ts";
import { now } from "../../../texts/format.ts";
import { isQuiet, type Quiet } from "../../alerts/state.ts";
import { type FailedJob, type Need, needsOf } from "./needs.ts";

const DAY_SEC = 86_400;
const MOST = 100;
const EVERY_SEC = 60;

interface Failures {
  readonly failed: readonly FailedJob[];
  readonly goodSince: ReadonlyMap<string, number>;
}

const BY_END = { sort_by: "completed", sort_dir: -1 } as const;
/** Maximum number of requests for failures. Each excludes the events that the previous ones found. */
const ROUNDS = 10;

const eventsOf = (jobs: readonly FailedJob[]): readonly string[] => [
  ...new Set(jobs.flatMap(({ event }) => (event ? [event] : []))),
];

/**
 * Reads the latest failed jobs of each event since `since` (Unix seconds). An event that fails every minute cannot
 * crowd out others, and neither can sub-jobs, which have no event to exclude and are paged over instead.
 */
async function readFailed(since: number): Promise<readonly FailedJob[]> {
  let failed: readonly FailedJob[] = [];
  for (let [round, offset] = [0, 0]; round < ROUNDS; round += 1) {
    const others = eventsOf(failed).map((event) => ` -event:${event}`);
    const query = `tags:_error date:>${since}${others.join("")}`;
    const { rows, list } = await api.searchJobs({ query, limit: MOST, offset, ...BY_END });
    const before = others.length;
    failed = [...failed, ...rows];
    offset = eventsOf(failed).length === before ? offset + rows.length : 0;
    if (rows.length === 0 || (offset === 0 ? rows.length : offset) >= list.length) break;
  }
  return failed;
}

/** When each of these events last succeeded since `since`, in Unix seconds. */
async function readGood(events: readonly string[], since: number): Promise<ReadonlyMap<string, number>> {
  const good = new Map<string, number>();
  const read = async (named: readonly string[], limit: number): Promise<boolean> => {
    const query = `tags:_success event:${named.join("|")} date:>${since}`;
    const { rows, list } = await api.searchJobs({ query, limit, select: ["id", "event", "completed"], ...BY_END });
    for (const { event = "", completed = 0 } of rows) good.set(event, Math.max(completed, good.get(event) ?? 0));
    return rows.length === list.length;
  };
  if (events.length === 0 || (await read(events, MOST))) return good;
  const left = events.filter((event) => !good.has(event));
  await inTurns(left, async (event) => void (await read([event], 1)));
  return good;
}

/** Failed jobs of the last day, and when each of their events last succeeded. */
async function readFailures(): Promise<Failures> {
  const since = Math.floor(now.peek() - DAY_SEC);
  const failed = await readFailed(since);
  return { failed, goodSince: await readGood(eventsOf(failed), since) };
}

/** Maximum number of servers read. */
const MOST_SERVERS = 2000;

/** Reads offline servers, which sort before all online ones. */
const readServers = () =>
  readMost(
    (offset) => api.searchServers({ query: "*", limit: MOST, offset, sort_by: "date", sort_dir: 1 }),
    MOST_SERVERS,
    (found) => found.some(({ online }) => online),
  );
/** Query for tickets past their due date that nobody has started. */
export const OVERDUE = "status:open due:<today";
async function readOverdue() {
  const { rows, list } = await api.searchTickets({ query: OVERDUE, limit: MOST, compact: true });
  return { rows, total: list.length };
}
const readSilences = async () => (await api.getSilences()).rows;

type Asked = Pick<Loaded<unknown>, "data" | "error" | "reload">;

export interface Further {
  readonly alerts: number;
  /** Number of servers that were not read. */
  readonly servers: number;
  readonly tickets: number;
}

export interface Needs {
  /** Undefined until everything has been loaded once. */
  readonly needs: readonly Need[] | undefined;
  /** Numbers of further records, because only the first of many are read. */
  readonly further: Further;
  /** Requests that failed, so that their results are missing. */
  readonly failed: readonly Asked[];
  /** Reloads the silences after one was created here. */
  reloadSilences(): void;
}

/** Everything that may need a person, kept up to date. */
export function useNeeds(): Needs {
  const failures = useLoad("failures", readFailures);
  const servers = useLoad("all servers", readServers);
  const overdue = useLoad("overdue", readOverdue);
  const silences = useLoad("rows of silences", readSilences);
  useFreshJobs(failures.reload);
  usePolling(EVERY_SEC, overdue.reload);
  usePolling(EVERY_SEC, silences.reload);
  useLive("update", (lists: Record<string, unknown>) => {
    if ("servers" in lists) void servers.reload();
    if ("tickets" in lists) void overdue.reload();
  });
  const asked: readonly Asked[] = [alertsRead, jobsRead, failures, servers, overdue, silences];
  const failed = asked.filter(({ data, error }) => data.value === undefined && error.value !== undefined);
  const isKnown = asked.every((one) => one.data.value !== undefined || failed.includes(one));
  const { rows: due = [], total = 0 } = overdue.data.value ?? {};
  const held = (silences.data.value ?? []) as readonly Quiet[];
  const needs = needsOf({
    now: now.value,
    firing: firing.value,
    failed: failures.data.value?.failed ?? [],
    goodSince: failures.data.value?.goodSince ?? new Map(),
    active: activeJobs.all(),
    servers: servers.data.value?.rows ?? [],
    overdue: due,
    isSilenced: (invocation) => isQuiet(held, invocation, listedOne("alerts", invocation.alert)?.tags ?? []),
  });
  // If the last server read is online, so are all that follow, and none is missing.
  const isCut = servers.data.value?.rows.every(({ online }) => !online) ?? false;
  const further = {
    alerts: furtherFiring.value,
    servers: isCut ? (servers.data.value?.further ?? 0) : 0,
    tickets: total - due.length,
  };
  return { needs: isKnown ? needs : undefined, further, failed, reloadSilences: () => void silences.reload() };
}
