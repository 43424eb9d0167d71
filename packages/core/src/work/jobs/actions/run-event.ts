import { reachesCategory } from "../../../directory/access/rules/reach.ts";
import { withDefaults } from "../../../directory/plugins/rules/parameters/fields.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import { wordIn } from "../../../lib/json/word-in.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type { Event } from "../../events/model.ts";
import { workflowOf } from "../../graphs/rules/start-node.ts";
import { activeJobCollection } from "../collection.ts";
import type { LaunchRequest } from "../model.ts";

const failed = (description: string): ActionOutcome => ({ code: "event", description });

/**
 * Launches another event (docs/contract/actions.md#run-an-event, docs/contract/alerts.md#running). Idempotent: a repetition of
 * the same action finds the job that was launched before.
 */
export const runEventAction: ActionType = {
  applies: ["job", "alert"],
  validate({ event_id: id }) {
    if (typeof id !== "string" || !/^\w+$/.test(id)) throw new InputError("Invalid Event ID.");
  },
  target: (action) => wordIn(action, "event_id"),
  async run(run, cradle) {
    const id = wordIn(run.action, "event_id");
    const event = cradle.eventRecords.get(id);
    if (!event) return failed(`Event not found: ${id}`);
    const isManual = event.triggers.some(({ type, enabled }) => type === "manual" && enabled);
    if (!isManual) return failed(`Event does not allow manual job runs: ${id}`);
    if (!reachesCategory(run.reach, event.category))
      return failed(`Event is in a category that the caller who launched the job may not use: ${id}`);
    const plain = run.side === "job" ? fromJob(run, event, cradle) : fromAlert(run, event, cradle);
    const request = { ...plain, overrides: { ...plain.overrides, ...workflowOf(event, { source: plain.source }) } };
    try {
      return await launch(run, request, cradle);
    } catch (error) {
      return failed(`Failed to launch event: ${messageOf(error)}`);
    }
  },
};

type Deps = Pick<Cradle, "clock" | "jobs" | "launcher" | "transact">;

/** Serialised with other changes of the job that launches, because its other actions write to its record at the same time. */
async function launch(run: ActionRun, request: LaunchRequest, deps: Deps): Promise<ActionOutcome> {
  const parent = run.side === "job" ? String(membersOf(run.data["job"])["id"]) : undefined;
  const order: Order = { run, request, parent, deps };
  const seen: { outcome?: ActionOutcome } = {};
  if (parent !== undefined)
    await deps.jobs.desk.change(parent, async (unit) => {
      const outcome = await launchIn(unit, order);
      unit.tx.afterCommit(() => {
        seen.outcome = outcome;
      });
      return undefined;
    });
  return seen.outcome ?? deps.transact((unit) => launchIn(unit, order));
}

interface Order {
  readonly run: ActionRun;
  readonly request: LaunchRequest;
  /** The job that launches the event. */
  readonly parent: string | undefined;
  readonly deps: Pick<Cradle, "launcher">;
}

async function launchIn(unit: Unit, { run, request, parent, deps }: Order): Promise<ActionOutcome> {
  const jobs = unit.tx.collection(activeJobCollection);
  const firing = parent === undefined ? undefined : await jobs.get(parent);
  // Includes tickets that other actions of the same phase have created meanwhile.
  const tickets = firing?.job.tickets ?? [];
  const job = await deps.launcher.launch(unit, {
    ...request,
    ...(tickets.length > 0 ? { overrides: { ...request.overrides, tickets } } : {}),
    uniqueKey: `action:${run.idempotencyKey}`,
  });
  if (!job) return { code: 0, description: "The launched job is gone already." };
  if (parent !== undefined && firing)
    await jobs.update(parent, (stored) => {
      const others = (stored.job.jobs ?? []).filter(({ id }) => id !== job.id);
      return { ...stored, job: { ...stored.job, jobs: [...others, { id: job.id, reason: "action" }] } };
    });
  return { code: 0, description: `Launched job: #${job.id}`, loc: `#Job?id=${job.id}`, resultId: job.id };
}

function startAt({ action }: ActionRun, { clock }: Deps): { until?: number } {
  const delay = Number(action["start_delay"] ?? 0);
  return delay > 0 ? { until: clock.now() + delay } : {};
}

/** Merges values of an action over the event's values and the defaults of its fields, as for a call of run_event. */
const filled = ({ fields, params }: Event, sent: Readonly<Record<string, unknown>>) =>
  withDefaults(fields, { ...params, ...sent });

/** Passes the output and the tickets of the finished or starting job to the new one. */
function fromJob(run: ActionRun, event: Event, deps: Deps): LaunchRequest {
  // An action that the output of a job pushed may not choose the values of locked fields.
  const isPushed = run.action["source"] === "job";
  const fields = new Set(event.fields.filter(({ locked }) => !(locked && isPushed)).map(({ id }) => id));
  const params = Object.entries(membersOf(run.action["params"])).filter(([key]) => fields.has(key));
  const { code, data, description, event: parent, files, id, tickets } = membersOf(run.data["job"]);
  return {
    event,
    source: "action",
    params: filled(event, Object.fromEntries(params)),
    parent: { job: id, event: parent, code, description },
    input: {
      ...(isObject(data) ? { data: { ...data } } : {}),
      ...(Array.isArray(files) ? { files: files.filter(isObject) } : {}),
    },
    ...(Array.isArray(tickets) && tickets.length > 0 ? { overrides: { tickets } } : {}),
    reach: run.reach,
    ...startAt(run, deps),
  };
}

function fromAlert(run: ActionRun, event: Event, deps: Deps): LaunchRequest {
  const { action, data } = run;
  const invocation = membersOf(data["alert"]);
  const { title } = membersOf(data["def"]);
  const server = invocation["server"];
  const hasTarget = action["target_server"] && typeof server === "string" && event.type !== "workflow";
  return {
    event,
    source: "alert",
    params: filled(event, membersOf(action["params"])),
    input: { data: { condition: action["condition"], alert: { ...invocation, title } } },
    ...(hasTarget ? { targets: [server] } : {}),
    ...(action["clear_alert"] ? { clearAlert: String(invocation["id"]) } : {}),
    ...startAt(run, deps),
  };
}
