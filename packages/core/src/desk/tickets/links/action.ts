import { tagRecords } from "../../../directory/tags/records.ts";
import { isSystemTag } from "../../../directory/tags/rules.ts";
import type { Invocation } from "../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { placeOf } from "../../../fleet/alerts/rules/definition/subjects.ts";
import { HOOKS_PER_SUBJECT, TICKETS_ANEW } from "../../../fleet/alerts/rules/telling/by-problem.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import { textsOf } from "../../../lib/text/text-of.ts";
import { readDue } from "../../../wire/fields/due.ts";
import { tenantOf } from "../../../wire/tenant.ts";
import { systemAuthor, type Ticket, type TicketDraft } from "../model.ts";
import { faultOfValues } from "../rules/values.ts";
import { type TicketProblem, type TicketRun, ticketProblemCollection, ticketRunCollection } from "./collection.ts";
import { closeProblem } from "./ends/over.ts";
import { isGoingOn } from "./joint.ts";
import {
  alertProblem,
  alertSubjectKey,
  eventSubject,
  isOpen,
  optionsOf,
  problemKey,
  type TicketOptions,
  ticketTarget,
} from "./rules/problem.ts";
import { ticketTemplateOf } from "./rules/texts.ts";
import type { TicketOrigin, TicketSource } from "./templates.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * A ticket about a job or an alert (docs/contract/tickets.md#the-ticket-action). With `reuse`, a repeat is added to the open
 * ticket of the same problem.
 */
export const ticketAction: ActionType = {
  applies: ["job", "alert"],
  target: ticketTarget,
  run: (run, { ticketLinks }) => ticketLinks.run(run),
};

export type LinkDeps = Pick<
  Cradle,
  "alerts" | "clock" | "config" | "definitions" | "jobs" | "state" | "ticketTemplates" | "tickets" | "transact"
>;

interface Task {
  readonly run: ActionRun;
  readonly source: TicketSource;
  readonly deps: LinkDeps;
}

/** Result of a ticket action. */
interface Made {
  readonly outcome: ActionOutcome;
  /** Id of the ticket that was created or reused. */
  readonly ticket: string;
  /** The result in words, before the number of the ticket. */
  readonly what: string;
}

/** Most entries of one ticket, so that a problem which keeps coming back does not fill it up. */
const MAX_ENTRIES = 1000;

export async function runTicketAction(run: ActionRun, deps: LinkDeps): Promise<ActionOutcome> {
  const fault = faultOfValues({ type: run.action["ticket_type"] }, deps.config.tickets);
  if (fault !== undefined) return { code: "ticket", description: fault };
  const { ticketTemplates: templates } = deps;
  const source = run.side === "job" ? await templates.ofJob(run.data) : templates.ofAlert(run.data);
  const task = { run, source, deps };
  return (run.side === "job" ? await throughJob(task) : undefined) ?? deps.transact((unit) => onItsOwn(unit, task));
}

/**
 * Runs the action in turn with all other changes of the job, and with the tags that the job has by then. Undefined when the job
 * is no longer active.
 */
async function throughJob(task: Task): Promise<ActionOutcome | undefined> {
  const { deps, source } = task;
  let outcome: ActionOutcome | undefined;
  await deps.jobs.desk.change(source.origin.id, async (unit, record) => {
    const tickets = record.job.tickets ?? [];
    const defaults = { ...source.defaults, tags: (record.job.tags ?? []).filter((tag) => !isSystemTag(tag)) };
    const { ticket, ...made } = await perform(unit, { ...task, source: { ...source, defaults } });
    outcome = made.outcome;
    if (tickets.includes(ticket)) return undefined;
    unit.emit("job.updated", { id: record.id });
    return { ...record, job: { ...record.job, tickets: [...tickets, ticket] } };
  });
  return outcome;
}

async function onItsOwn(unit: Unit, task: Task): Promise<ActionOutcome> {
  const { outcome, ticket } = await perform(unit, task);
  await attachTicket(task.deps, unit, { origin: task.source.origin, ticket });
  return outcome;
}

/** Adds a ticket to the list of the job or invocation that it is about, if that still exists. */
export async function attachTicket(
  { alerts, jobs }: Pick<LinkDeps, "alerts" | "jobs">,
  unit: Pick<Unit, "emit" | "tx">,
  { origin: { kind, id }, ticket }: { readonly origin: TicketOrigin; readonly ticket: string },
): Promise<void> {
  if (kind === "job") return jobs.tickets.add(unit, id, ticket);
  await alerts.tickets.add(unit.tx, id, ticket);
  unit.emit("alert.linked", { id });
}

/** Performs an action of a job or transition exactly once, even if it is retried. */
async function perform(unit: Unit, task: Task): Promise<Made> {
  const { run, deps } = task;
  const id = sha256Hex(`ticket:${run.idempotencyKey}`);
  // Two nodes may try the same action: a node that is taken for dead may still be running.
  await unit.tx.lock(`tickets:run:${id}`);
  const runs = unit.tx.collection(ticketRunCollection);
  const done = await runs.get(id);
  if (done) return again(done, await deps.tickets.load(unit, done.ticket));
  const made = await reach(unit, task);
  const { ticket, what } = made;
  await runs.insert({ id, ticket, what, created: deps.clock.now() });
  return made;
}

const again = ({ what, ticket: id }: TicketRun, ticket: Ticket | undefined): Made =>
  ticket
    ? madeOf(ticket, what)
    : { what, ticket: id, outcome: { code: 0, description: "The ticket is gone already." } };

const madeOf = ({ id, num }: Ticket, what: string, notes: readonly string[] = []): Made => ({
  ticket: id,
  what,
  outcome: {
    code: 0,
    description: `${what}: #${num} (${id})`,
    details: [`- **Ticket:** [#${num}](#Ticket?id=${id})`, ...notes].join("\n"),
    loc: `#${num}`,
    resultId: id,
  },
});

/** Adds a comment to the problem's open ticket, or creates a ticket if there is none. */
async function reach(unit: Unit, task: Task): Promise<Made> {
  const { run, deps } = task;
  const options = optionsOf(run.action, { side: run.side, isAnew: ticketsAnew(deps) });
  const { reuses, closes, isJoint } = options;
  if (!reuses && !closes && !isJoint) return create(unit, task);
  const subject = subjectOf(run, isJoint);
  const id = sha256Hex(problemKey(subject, run.action, reuses || isJoint ? undefined : run.idempotencyKey));
  await unit.tx.lock(`tickets:problem:${id}`);
  const problems = unit.tx.collection(ticketProblemCollection);
  const known = await problems.get(id);
  const open = await openTicket(unit, deps, known, options);
  const made = open ? await comment(unit, task, open) : await create(unit, task);
  const problem = { id, subject, ticket: made.ticket, closes, last: deps.clock.now() };
  if (known) await problems.update(id, () => problem);
  else await problems.insert(problem);
  if (closes && (await isOverAlready(unit, run, isJoint ? made.ticket : undefined)))
    await closeProblem(deps, unit, problem, overText(task));
  return made;
}

/** The problem's ticket, if people work on it and a further firing belongs into it. */
async function openTicket(
  unit: Unit,
  { clock, tickets }: LinkDeps,
  known: TicketProblem | undefined,
  { reuses, isJoint }: TicketOptions,
): Promise<Ticket | undefined> {
  const ticket = known && (await tickets.lock(unit, known.ticket));
  if (!ticket || !isOpen(ticket)) return undefined;
  const isOther = isJoint && !reuses && !(await isGoingOn(unit.tx, ticket.id, clock.now()));
  return isOther ? undefined : ticket;
}

function subjectOf({ data, side }: ActionRun, isJoint: boolean): string {
  if (side === "job") return eventSubject(String(membersOf(data["job"])["event"] ?? ""));
  const invocation = data["alert"] as Invocation;
  return isJoint ? alertProblem(invocation.alert) : alertSubjectKey(invocation.alert, placeOf(invocation));
}

/** Whether each firing gets its own ticket if its action does not say, as in older installations. */
const ticketsAnew = ({ state }: Pick<LinkDeps, "state">): boolean =>
  (state.get(TICKETS_ANEW) ?? state.get(HOOKS_PER_SUBJECT)) === true;

/**
 * True when the alert ended before its ticket existed, so that nothing else would close the ticket. A shared ticket waits for all
 * its alerts.
 */
async function isOverAlready({ tx }: Unit, { data, side }: ActionRun, shared: string | undefined): Promise<boolean> {
  if (side === "job") return false;
  const invocation = await tx.collection(invocationRecords).get(String(membersOf(data["alert"])["id"] ?? ""));
  if (!invocation || invocation.active || invocation.stale) return false;
  return shared === undefined || !(await isGoingOn(tx, shared));
}

const overText = ({ deps, run }: Task): string => deps.ticketTemplates.expand("alert_over", run.data);

async function comment(unit: Unit, { deps, run }: Task, ticket: Ticket): Promise<Made> {
  if (ticket.changes.length >= MAX_ENTRIES) return madeOf(ticket, "Nothing was added to a ticket with so many entries");
  const body = deps.ticketTemplates.expand(commentOf(run), run.data);
  await deps.tickets.addChange(unit, ticket.id, { type: "comment", body }, systemAuthor);
  return madeOf(ticket, "Added a comment to ticket");
}

const COMMENTS = { job_fail: "job_again", job_success: "job_over", job_progress: "job_running" } as const;

function commentOf({ action, data, side }: ActionRun): string {
  if (side === "alert") return action["condition"] === "alert_cleared" ? "alert_over" : "alert_again";
  return COMMENTS[ticketTemplateOf(data["job"] as Members)];
}

async function create(unit: Unit, { deps, run, source }: Task): Promise<Made> {
  const { action } = run;
  const { new_ticket_template: preset } = deps.config.client;
  const { defaults, subject, body } = source;
  const tags = [...new Set([...textsOf(action["ticket_tags"]), ...(defaults.tags ?? [])])];
  const known = tags.filter((tag) => deps.definitions.get(tagRecords, tag));
  const due = action["ticket_due"] || preset["due"];
  const draft: TicketDraft = {
    subject,
    body,
    status: "open",
    type: action["ticket_type"],
    assignees: textsOf(action["ticket_assignees"]),
    cc: textsOf(preset["cc"]),
    notify: textsOf(preset["notify"]),
    category: defaults.category ?? "",
    server: defaults.server ?? "",
    tags: known,
    events: [],
    ...(readDue(due) ? { due } : {}),
    ...tenantOf(defaults),
  };
  const cause = { kind: run.side, id: source.origin.id };
  const ticket = await deps.tickets.create(unit, draft, { ...systemAuthor, cause, announce: "debounced" });
  const unknown = tags.filter((tag) => !known.includes(tag));
  return madeOf(ticket, "Successfully created ticket", [
    ...(unknown.length > 0 ? [`- **Unknown tags:** ${unknown.map((tag) => `\`${tag}\``).join(", ")}`] : []),
    ...(readDue(due) ? [] : ["- **Due:** could not be read"]),
  ]);
}
