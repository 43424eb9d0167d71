import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { updateIfThere } from "../../../../kernel/transactions/update-if-there.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { tenantOf } from "../../../../wire/tenant.ts";
import { invocationCollection } from "../../collection.ts";
import type { Alert, AlertState, Invocation, Notification } from "../../model.ts";
import { severityOf } from "../../rules/definition/severity.ts";
import type { Place } from "../../rules/definition/subjects.ts";
import type { Display } from "../shown/display.ts";
import { type Earlier, episodeAt } from "./flapping.ts";

/** Kinds of queued work of this domain. */
export const NOTIFY_KIND = "alerts.notify";
export const ABORT_KIND = "alerts.abort";

/** Stores firings and clearings, all in the transaction of the sample (docs/contract/alerts.md#effects). */
export interface Transitions {
  /** Returns the invocation, which the caller stores in the same transaction: many at once cost fewer statements. */
  fire(unit: Unit, firing: Firing): Promise<Invocation>;
  clear(unit: Unit, clearing: Clearing): Promise<void>;
}

export interface Firing {
  readonly alert: Alert;
  readonly server: Place;
  readonly groups: readonly string[];
  readonly state: AlertState;
  readonly earlier: Earlier;
}

export interface Clearing {
  readonly alert: Alert;
  /** The server may have been deleted long ago. */
  readonly server: Place;
  readonly state: AlertState;
  /** Unix seconds. */
  readonly now: number;
  readonly notifies: boolean;
  /** The server fell silent. */
  readonly stale?: boolean;
  /** Why it ended, if not by a sample: "was disabled by ann". */
  readonly endedBy?: string | undefined;
}

type Deps = Pick<Cradle, "activeJobs" | "codeVersion" | "jobInbox" | "jobs" | "storage" | "ticketLinks">;

/** Reads other services from the cradle only when they are needed. */
export function createTransitions(deps: Deps, display: Display): Transitions {
  return {
    async fire({ tx, audit, emit }, firing) {
      const { alert, server, state, earlier } = firing;
      const jobs = await jobsAt(tx, deps, server.id);
      const next = { from: state.modified };
      const episode = await episodeAt(tx, { alert, place: server.id, at: state.modified, next }, earlier);
      const invocation = { ...newInvocation(deps, firing, jobs), ...(episode ? { flapping: true } : {}) };
      const description = `New alert for: ${display.place(server)}: ${alert.title}`;
      countIn(tx, deps, { name: "alert_new", alert, server, groups: firing.groups });
      audit("alert_new", { alert: invocation, ...subjectMembers(server), description, loc: locationOf(state) });
      const active_jobs = jobs.map(({ id, event }) => ({ id, event }));
      await enqueueNotification(tx, { invocation: invocation.id, condition: "alert_new", active_jobs });
      if (alert.abort_jobs && !server.about) await enqueueAbort(tx, deps, firing);
      emit("alert.fired", { id: invocation.id, alert: alert.id, server: invocation.server });
      return invocation;
    },
    async clear({ tx, audit, emit }, { alert, server, state, now, notifies, stale, endedBy }) {
      const invocation = await closeInvocation(tx, state, { modified: now, ...endMembers({ stale, endedBy }) });
      // Silence tells nothing about the problem, so it is not counted as its end.
      if (!stale) countIn(tx, deps, { name: "alert_cleared", alert, server, groups: invocation?.groups ?? [] });
      const description = `Alert cleared: ${display.place(server)}: ${alert.title}${stale ? " (no data)" : ""}`;
      const subject = { alert: invocation ?? { id: state.invocation }, ...subjectMembers(server) };
      audit("alert_cleared", { ...subject, description, loc: locationOf(state), ...(stale ? { stale } : {}) });
      if (invocation) await tellEnd(tx, deps, { invocation, elapsed: now - state.date, notifies, stale });
      emit("alert.cleared", { id: state.invocation, alert: alert.id, server: server.about ? "" : server.id });
    },
  };
}

interface Counted extends Pick<Firing, "alert" | "server" | "groups"> {
  readonly name: string;
}

/** Counts a transition under its alert, server and groups; its row in the activity log counts for the installation. */
function countIn(tx: WriteTx, deps: Deps, { name, alert, server, groups }: Counted): void {
  const places = [...(server.about ? [] : [`servers/${server.id}`]), ...groups.map((id) => `groups/${id}`)];
  tx.afterCommit(() => deps.jobs.stats.count([name], [`alerts/${alert.id}`, ...places]));
}

interface Ending extends Pick<Clearing, "notifies"> {
  readonly stale: boolean | undefined;
  readonly invocation: Invocation;
  /** Seconds. */
  readonly elapsed: number;
}

async function tellEnd(tx: WriteTx, { ticketLinks }: Deps, { invocation, elapsed, notifies, stale }: Ending) {
  const ending = { invocation: invocation.id, condition: "alert_cleared", elapsed } as const;
  // An end for lack of data is reported as such, to the targets that were notified of the firing.
  if (stale) await enqueueNotification(tx, { ...ending, stale });
  else if (notifies) await enqueueNotification(tx, ending);
  // A server that fell silent, or a disabled definition, does not mean that the problem is solved.
  if (notifies) await ticketLinks.noteCleared({ tx }, invocation);
}

type ActiveJobs = ReturnType<Cradle["jobInbox"]["activeOn"]>;

/** The active jobs of a server, then the workflows that they belong to. */
async function jobsAt(tx: WriteTx, { activeJobs, jobInbox }: Deps, server: string): Promise<ActiveJobs> {
  const jobs = jobInbox.activeOn(server);
  if (jobs.length === 0) return jobs;
  const ids = jobs.map(({ id }) => id);
  const workflows = await activeJobs.workflowsOf(tx, ids);
  return [...jobs, ...workflows.map((workflow) => ({ ...workflow, tickets: [] }))];
}

function newInvocation({ codeVersion }: Deps, firing: Firing, jobs: ActiveJobs): Invocation {
  const { alert, server, groups, state } = firing;
  const { about } = server;
  return {
    id: state.invocation,
    alert: state.alert,
    server: about ? "" : server.id,
    ...(about ? { subject: about.subject, category: about.category } : {}),
    date: state.date,
    active: true,
    modified: state.modified,
    tickets: [...new Set(jobs.flatMap(({ tickets }) => tickets))],
    exp: state.exp,
    message: state.message,
    severity: severityOf(alert, about?.subject),
    count: state.count,
    notified: true,
    groups: [...groups],
    jobs: jobs.map(({ id }) => id),
    fired: state.modified,
    noticed: state.modified,
    cause: about ? { kind: "schedule", id: about.subject.id } : { kind: "server", id: server.id },
    code_version: codeVersion,
    ...tenantOf(alert),
  };
}

const locationOf = ({ invocation }: AlertState): string => `Alerts?id=${invocation}`;
const subjectMembers = ({ id, hostname, ip, about }: Place): Record<string, string> =>
  about ? { [about.subject.type]: about.subject.id } : { server: id, hostname, ip };

/** Queues one item per transition and repetition. The key deduplicates it when several nodes see the same one. */
export function enqueueNotification(tx: WriteTx, notification: Notification): Promise<void> {
  return tx.enqueue(NOTIFY_KIND, notification, { key: keyOf(notification) });
}

/** Key of a transition or repetition; part of the idempotency keys of its actions. */
export const keyOf = ({ invocation, condition, round }: Notification): string =>
  round === undefined ? `${invocation}:${condition}` : `${invocation}:${condition}:${round}`;

function enqueueAbort(
  tx: WriteTx,
  { storage }: Pick<Cradle, "storage">,
  { alert, server, state }: Firing,
): Promise<void> {
  const { shared, nodeId } = storage.coordination;
  // Only the node that holds the agent's connection can reach the jobs.
  const options = { key: state.invocation, ...(shared ? { node: nodeId } : {}) };
  return tx.enqueue(ABORT_KIND, { server: server.id, reason: `Alert Fired: ${alert.title}` }, options);
}

const endMembers = ({ stale, endedBy }: Pick<Clearing, "endedBy"> & { stale: boolean | undefined }) => ({
  ...(stale ? { stale } : {}),
  ...(endedBy === undefined ? {} : { ended_by: endedBy }),
});

/** Undefined when a caller has deleted the invocation while it was live. */
function closeInvocation(
  tx: WriteTx,
  { invocation, message }: AlertState,
  members: Pick<Invocation, "modified" | "stale" | "ended_by">,
): Promise<Invocation | undefined> {
  const close = (stored: Invocation): Invocation => ({ ...stored, message, ...members, active: false });
  return updateIfThere(tx.collection(invocationCollection), invocation, close);
}
