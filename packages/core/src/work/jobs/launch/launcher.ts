import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { causeIn } from "../../../kernel/transactions/unit-scope.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import type { Action, Limit } from "../../../wire/entries/actions-and-limits.ts";
import { activeJobCollection } from "../collection.ts";
import type { ActiveJob, Job, LaunchRequest } from "../model.ts";
import { type LaunchDeps, type LaunchPlan, launchJob, launchKeyed, launchOnce } from "./launch-steps.ts";
import { launchCause } from "./rules/cause.ts";

export interface JobLauncher {
  /**
   * Writes the job and the queued work that starts it in the unit's transaction; nothing runs before its commit. Throws
   * `DomainError` ("job") with the texts of docs/contract/jobs.md#launch. Returns the job. If `uniqueKey` was used before,
   * returns the job launched then (undefined when its record is gone).
   */
  launch(unit: Unit, request: LaunchRequest): Promise<Job | undefined>;
  /**
   * Like `launch`, for callers that may retry: within a day, the same key of the same caller for the same event stands for the
   * same job, even if that has been deleted. Returns its id.
   */
  launchIdempotent(unit: Unit, request: LaunchRequest, key: string): Promise<string>;
  /** Writes the jobs launched `together` in the unit; must be called at its end. */
  storeLaunched(unit: Unit): Promise<void>;
}

/** Keys of callers are valid for a day. */
const IDEMPOTENCY_SEC = 86_400;

export function createLauncher(deps: LaunchDeps): JobLauncher {
  const noted = new WeakMap<Unit, ActiveJob[]>();
  const collectIn = (unit: Unit) => (record: ActiveJob) => {
    const list = noted.get(unit);
    if (list) list.push(record);
    else noted.set(unit, [record]);
  };
  return {
    async storeLaunched(unit) {
      const records = noted.get(unit);
      if (!records) return;
      noted.delete(unit);
      await unit.tx.collection(activeJobCollection).insertMany(records);
    },
    launch(unit, request) {
      const collect = request.together ? collectIn(unit) : undefined;
      const launch = (): Promise<Job> => launchJob(deps, unit, { ...planOf(unit, request), collect });
      return request.uniqueKey === undefined ? launch() : launchOnce(deps, unit, request.uniqueKey, launch);
    },
    async launchIdempotent(unit, request, sent) {
      const { event, source, username = "" } = request;
      const key = `run:${JSON.stringify([event.id, source, username, sent])}`;
      const launch = (): Promise<Job> => launchJob(deps, unit, planOf(unit, request));
      return (await launchKeyed(deps, unit, { key, windowSec: IDEMPOTENCY_SEC }, launch)).id;
    },
  };
}

const list = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as T[]) : []);
const objects = <T>(value: unknown): readonly T[] =>
  list<T>(value).filter((entry) => typeof entry === "object" && entry !== null);

function planOf({ tx }: Unit, request: LaunchRequest): LaunchPlan {
  const { event, overrides = {}, test = Boolean(overrides["test"]) } = request;
  return {
    event,
    source: request.source,
    isRetry: false,
    overrides,
    engine: { ...engineMembers(request, test), cause: launchCause(request, causeIn(tx)) },
    params: { ...membersOf(event["params"]), ...request.params },
    ignored: request.ignored,
    input: request.input,
    workflowData: overrides["workflowData"],
    tags: [...new Set([...(request.tags ?? list<string>(event["tags"])), ...(request.addTags ?? [])])],
    actions: objects<Action>(overrides["actions"] ?? event["actions"]),
    limits: objects<Limit>(overrides["limits"] ?? event["limits"]),
    test: { on: test, actions: Boolean(overrides["test_actions"]), limits: Boolean(overrides["test_limits"]) },
    now: request.now,
    until: request.until,
    reach: request.reach,
    activation: request.activation,
  };
}

function engineMembers(
  { event, username, targets, parent, stype, splugin, clearAlert, workflow }: LaunchRequest,
  test: boolean,
): Record<string, unknown> {
  const author = username ?? event["username"];
  return {
    ...(author === undefined ? {} : { username: author }),
    ...(targets ? { targets: [...targets] } : {}),
    ...(parent ? { parent: { ...parent } } : {}),
    ...(workflow === undefined ? {} : { workflow }),
    ...(stype === undefined ? {} : { stype }),
    ...(splugin === undefined ? {} : { splugin }),
    ...(clearAlert === undefined ? {} : { clear_alert: clearAlert }),
    ...(test ? { test: true } : {}),
  };
}
