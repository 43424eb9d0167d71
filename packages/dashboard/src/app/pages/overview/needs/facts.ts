import { type Loaded, useLoad } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import { useFreshJobs, usePolling } from "../../../data/jobs/fresh-jobs.ts";
import { useLive } from "../../../data/live.ts";
import { activeJobs, firing } from "../../../data/records/counts.ts";
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

/** Failed jobs of the last day, and the newest good end of each event. */
async function readFailures(): Promise<Failures> {
  const since = Math.floor(now.peek() - DAY_SEC);
  const [bad, good] = await Promise.all([
    api.searchJobs({ query: `tags:_error date:>${since}`, limit: MOST }),
    api.searchJobs({ query: `tags:_success date:>${since}`, limit: MOST, select: ["id", "event", "completed"] }),
  ]);
  const goodSince = new Map<string, number>();
  for (const { event = "", completed = 0 } of good.rows)
    goodSince.set(event, Math.max(completed, goodSince.get(event) ?? 0));
  return { failed: bad.rows, goodSince };
}

const readServers = async () => (await api.searchServers({ query: "*", limit: MOST })).rows;
const readOverdue = async () =>
  (await api.searchTickets({ query: "status:open due:<today", limit: MOST, compact: true })).rows;
const readSilences = async () => (await api.getSilences()).rows;

export interface Needs {
  /** Undefined until everything has been asked once. */
  readonly needs: readonly Need[] | undefined;
  /** Questions that failed: what they would have told is missing. */
  readonly failed: readonly Loaded<unknown>[];
  /** Asks for the silences again, after one was made here. */
  reloadSilences(): void;
}

/** All that may need a person, live. */
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
  const asked: readonly Loaded<unknown>[] = [failures, servers, overdue, silences];
  const failed = asked.filter(({ data, error }) => data.value === undefined && error.value !== undefined);
  const isKnown = asked.every((one) => one.data.value !== undefined || failed.includes(one));
  const held = (silences.data.value ?? []) as readonly Quiet[];
  const needs = needsOf({
    now: now.value,
    firing: firing.value,
    failed: failures.data.value?.failed ?? [],
    goodSince: failures.data.value?.goodSince ?? new Map(),
    active: activeJobs.all(),
    servers: servers.data.value ?? [],
    overdue: overdue.data.value ?? [],
    isSilenced: (invocation) => isQuiet(held, invocation, listedOne("alerts", invocation.alert)?.tags ?? []),
  });
  return { needs: isKnown ? needs : undefined, failed, reloadSilences: () => void silences.reload() };
}
