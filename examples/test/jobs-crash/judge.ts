import type { Arrival } from "./receivers.ts";

interface StoredAction {
  readonly type: string;
  readonly condition: string;
  readonly enabled?: boolean;
  /** Present once there is a result. */
  readonly date?: number;
  readonly code?: unknown;
  readonly description?: unknown;
  readonly text?: unknown;
  readonly body?: unknown;
}

interface StoredLimit extends Omit<StoredAction, "condition"> {
  readonly amount?: number;
}

/** The judged part of a final record. */
export interface EndedJob {
  readonly id: string;
  readonly event: string;
  readonly plugin: string;
  readonly source: string;
  readonly code: unknown;
  readonly description?: string;
  readonly final?: boolean;
  readonly retried?: boolean;
  readonly retry_prev?: string;
  readonly retry_count?: number;
  readonly parent?: { readonly job: string };
  readonly jobs?: readonly { readonly id: string; readonly reason: string }[];
  readonly tags?: readonly string[];
  readonly actions?: readonly StoredAction[];
  readonly limits?: readonly StoredLimit[];
  readonly files?: readonly unknown[];
  readonly output?: string;
}

/** Evidence for the verdict, collected once all jobs have ended. */
export interface Evidence {
  readonly jobs: readonly EndedJob[];
  /** Ids of the jobs whose launch was acknowledged. */
  readonly accepted: ReadonlySet<string>;
  /** Number of runs by job, as recorded by the jobs' work. */
  readonly runs: ReadonlyMap<string, number>;
  readonly arrivals: readonly Arrival[];
  /** Number of ended jobs by event, according to its history. */
  readonly history: ReadonlyMap<string, number>;
}

/** Faults of jobs after crashes, one sentence each. */
export function judge(evidence: Evidence): string[] {
  const { jobs, arrivals } = evidence;
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const keys = keysByEffect(arrivals);
  return [
    ...acceptance(evidence, byId),
    ...execution(evidence, byId),
    ...jobs.flatMap((job) => {
      const faults = [...ending(job), ...attempts(job, evidence), ...actions(job, { evidence, keys }), ...tags(job)];
      return [...faults, ...limits(job, keys)].map((fault) => `${job.event} ${job.id}: ${fault}`);
    }),
    ...children(jobs, byId),
    ...effects(keys, byId),
    ...histories(evidence),
  ];
}

type Known = ReadonlyMap<string, EndedJob>;
type Keys = ReadonlyMap<string, ReadonlySet<string>>;

function keysByEffect(arrivals: readonly Arrival[]): Keys {
  const keys = new Map<string, Set<string>>();
  for (const { job, effect, key } of arrivals) {
    const name = `${job} ${effect}`;
    keys.set(name, (keys.get(name) ?? new Set()).add(key));
  }
  return keys;
}

function acceptance({ jobs, accepted }: Evidence, byId: Known): string[] {
  const lost = [...accepted].filter((id) => !byId.has(id)).map((id) => `job ${id} was accepted and is gone`);
  // Every request was answered in the end, so all jobs launched by requests are known.
  const extra = jobs.filter(({ id, source, retry_prev }) => source === "key" && !retry_prev && !accepted.has(id));
  return [...lost, ...extra.map(({ id, event }) => `${event} ${id}: launched, but nobody got its id`)];
}

function execution({ runs }: Evidence, byId: Known): string[] {
  const unknown = [...runs.keys()].filter((id) => !byId.has(id)).map((id) => `job ${id} ran and is gone`);
  const doubled = [...runs].filter(([, count]) => count > 1).map(([id, count]) => `job ${id} ran ${count} times`);
  return [...unknown, ...doubled];
}

function ending({ final, code, description, plugin, output = "", files = [] }: EndedJob): string[] {
  const begun = output.split("Test of ").length - 1;
  return [
    ...(final === true ? [] : ["its record is not final"]),
    ...(code === "abort" && !description ? ["aborted without a reason"] : []),
    ...(plugin === "testplug" && begun > 1 ? [`its test began ${begun} times`] : []),
    ...(plugin === "testplug" && code === 0 && files.length !== 1 ? [`${files.length} output files`] : []),
  ];
}

/** True when a job's work has run; for a test plugin only the log shows it. */
const hasRun = ({ id, plugin, output = "" }: EndedJob, { runs }: Evidence): boolean =>
  plugin === "testplug" ? output.includes("Test of ") : runs.has(id);

function attempts(job: EndedJob, evidence: Evidence): string[] {
  const { id, code, retried = false, retry_prev, retry_count = 0, limits = [], jobs = [] } = job;
  const allowed = limits.find(({ type, enabled }) => type === "retry" && enabled)?.amount ?? 0;
  const next = evidence.jobs.filter((other) => other.retry_prev === id);
  const linked = jobs.filter(({ reason }) => reason === "retry").map((link) => link.id);
  const before = evidence.jobs.find((other) => other.id === retry_prev);
  return [
    ...(code === 0 && !hasRun(job, evidence) ? ["succeeded without a run"] : []),
    ...(retry_count > allowed ? [`attempt ${retry_count} of ${allowed}`] : []),
    ...(next.length === (retried ? 1 : 0) ? [] : [`retried: ${retried}, and ${next.length} attempts follow`]),
    ...(linked.join() === next.map((other) => other.id).join() ? [] : [`names ${linked.join()} as its next attempt`]),
    ...(retry_prev && !before?.retried ? [`follows ${retry_prev}, which was not to be retried`] : []),
  ];
}

function conditionsOf({ code, retried }: EndedJob): readonly string[] {
  if (retried) return [];
  if (code === 0) return ["complete", "success"];
  const isNamed = code === "warning" || code === "critical" || code === "abort";
  return ["complete", "error", isNamed ? code : "user"];
}

interface Seen {
  readonly evidence: Evidence;
  readonly keys: Keys;
}

function actions(job: EndedJob, { evidence, keys }: Seen): string[] {
  const conditions = conditionsOf(job);
  return (job.actions ?? []).flatMap((action, place) => {
    const { type, condition, date, code, description } = action;
    const isStart = condition === "start";
    const isDue = isStart ? hasRun(job, evidence) : conditions.includes(condition);
    const name = `${type} on ${condition}`;
    if (isDue && date === undefined) return [`${name} never happened`];
    if (!isDue && date !== undefined && !isStart) return [`${name} happened without a reason`];
    if (date === undefined) return [];
    if (code !== 0) return [`${name} failed: ${String(description)}`];
    return delivery(job, { action, key: type === "web_hook" ? `${job.id}/${place}` : undefined, keys });
  });
}

interface Delivery {
  readonly action: Pick<StoredAction, "text" | "body">;
  /** The key it must have arrived with, if known. */
  readonly key: string | undefined;
  readonly keys: Keys;
}

function delivery({ id, retry_prev }: EndedJob, { action: { text, body }, key, keys }: Delivery): string[] {
  const [, effect] = /^effect=(\w+)/.exec(String(text ?? body ?? "")) ?? [];
  if (!effect) return [];
  const came = keys.get(`${id} ${effect}`);
  // A start action done for an earlier attempt is not repeated.
  if (!came) return retry_prev && effect === "hook_start" ? [] : [`${effect} never arrived`];
  return key === undefined || came.has(key) ? [] : [`${effect} came as ${[...came].join()} in place of ${key}`];
}

function limits(job: EndedJob, keys: Keys): string[] {
  return (job.limits ?? []).flatMap((limit, place) => {
    if (limit.date === undefined) return [];
    if (limit.code !== 0) return [`what its limit tells failed: ${String(limit.description)}`];
    const missing = job.tags?.includes("slow") ? [] : ["its limit left no tag"];
    return [...missing, ...delivery(job, { action: limit, key: `${job.id}/limit-${place}/0`, keys })];
  });
}

function tags({ tags: given = [], code, retried, actions: all = [] }: EndedJob): string[] {
  const isTagged = given.includes("done");
  const isDue = code === 0 && !retried && all.some(({ type }) => type === "tag");
  return [
    ...(new Set(given).size === given.length ? [] : [`tags twice: ${given.join()}`]),
    ...(isTagged === isDue ? [] : [`tagged as done: ${isTagged}, in place of ${isDue}`]),
  ];
}

function children(jobs: readonly EndedJob[], byId: Known): string[] {
  const parents = jobs.filter(({ actions: all = [] }) => all.some(({ type }) => type === "run_event"));
  const counted = new Map(parents.map(({ id }) => [id, 0]));
  for (const { parent } of jobs) if (parent) counted.set(parent.job, (counted.get(parent.job) ?? 0) + 1);
  return [...counted].flatMap(([id, count]) => {
    const parent = byId.get(id);
    const due = parent?.code === 0 && !parent.retried ? 1 : 0;
    return count === due ? [] : [`job ${id} launched ${count} jobs in place of ${due}`];
  });
}

/** Each effect has one key: a receiver that drops repetitions gets it once. */
function effects(keys: Keys, byId: Known): string[] {
  return [...keys].flatMap(([name, all]) => {
    const [id = ""] = name.split(" ");
    const unknown = byId.has(id) ? [] : [`${name}: of a job that is gone`];
    return all.size === 1 ? unknown : [...unknown, `${name}: came under ${all.size} keys`];
  });
}

function histories({ jobs, history }: Evidence): string[] {
  const ended = Map.groupBy(
    jobs.filter(({ retried }) => !retried),
    ({ event }) => event,
  );
  const events = new Set([...ended.keys(), ...history.keys()]);
  return [...events].flatMap((event) => {
    const [seen, counted] = [ended.get(event)?.length ?? 0, history.get(event) ?? 0];
    return seen === counted ? [] : [`${event}: its history counts ${counted} ends of ${seen}`];
  });
}
