import { isLimited, mayAccess } from "../../../../directory/access/require-access.ts";
import { apiKeyRecords } from "../../../../directory/api-keys/records.ts";
import { publicApiKey } from "../../../../directory/api-keys/rules.ts";
import { userRecords } from "../../../../directory/users/records.ts";
import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { reachOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { byPlaceAndAlert } from "../../../../fleet/alerts/rules/visible.ts";
import type { Server } from "../../../../fleet/servers/model.ts";
import { publicServer } from "../../../../fleet/servers/rules/shown/public.ts";
import type { Actor } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { withoutHiddenParts } from "../../../../work/jobs/access/hidden-parts.ts";
import { readingOf } from "../../../../work/jobs/access/rules/restriction.ts";
import type { Job } from "../../../../work/jobs/model.ts";
import type { Ticket } from "../../../tickets/model.ts";
import type { Change } from "../../model.ts";
import { bulkPage } from "../../rules/page.ts";
import type { Facts } from "./load.ts";

/** A command for an audience, or for a part of it. */
export interface Command {
  readonly cmd: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Only subscribers with this page get the command; absent = all. */
  readonly loc?: string;
  /** Only these users get the command; absent = all. */
  readonly users?: readonly string[];
}

/** Callers who see the same. */
export interface Audience {
  readonly actor: Actor;
  readonly isAdmin: boolean;
  readonly isUnlimited: boolean;
}

export const audienceOf = (actor: Actor): Audience => ({
  actor,
  isAdmin: Object.hasOwn(actor.privileges, "admin"),
  isUnlimited: mayAccess(actor, { category: "*", group: "*" }),
});

type Rendering<K extends Change["kind"]> = (
  change: Extract<Change, { kind: K }>,
  facts: Facts,
  audience: Audience,
) => readonly Command[] | Promise<readonly Command[]>;

/** Renders a change as commands for one audience (docs/contract/live.md#kinds-of-changes, docs/contract/live.md#the-channel). */
export type Renderer = (change: Change, facts: Facts, audience: Audience) => Promise<readonly Command[]>;

const single = (list: string, item: unknown): Command => ({ cmd: "single", data: { list, item } });
const removed = (list: string, id: string): Command => ({ cmd: "single", data: { list, item: { id }, delete: true } });
export const page = (loc: string, page_cmd: string, page_data: object): Command => ({
  cmd: "page_update",
  data: { loc, page_cmd, page_data },
  loc,
});

type Deps = Pick<Cradle, "definitions" | "loginBundle" | "references" | "servers" | "shownState" | "snapshot">;

export function createRenderer(deps: Deps): Renderer {
  const renderings: { readonly [K in Change["kind"]]: Rendering<K> } = {
    list: async ({ list }, _facts, { actor }) => [{ cmd: "update", data: await deps.loginBundle.lists(actor, [list]) }],
    key: ({ id }, _facts, { isAdmin }) => (isAdmin ? [keyCommand(deps, id)] : []),
    user: ({ id }) => userCommands(deps, id),
    state: async (_change, _facts, { isAdmin }) => {
      const state = await deps.snapshot((tx) => deps.shownState(tx, isAdmin));
      return [{ cmd: "update", data: { state } }];
    },
    alerts: async (_change, { alerts = [] }, { actor }) => [
      { cmd: "update", data: { activeAlerts: await visibleAlerts(deps, actor, alerts) } },
    ],
    // Carries no data: the caller's rights are checked when it asks for the notices.
    notices: () => [{ cmd: "notices", data: {} }],
    server: (change, { servers }, audience) => serverCommands(deps, change, servers.get(change.id), audience),
    async job({ id }, { jobs }, { actor }) {
      const job = await shownJob(deps, jobs.get(id), actor);
      return job ? [page(`Job?id=${id}`, "job_updated", updatedData(job))] : [];
    },
    completed: ({ id }, { jobs }, { actor }) => endCommands(deps, jobs.get(id), actor),
    ticket: (change, { tickets }, audience) => ticketCommands(change, tickets.get(change.id), audience),
    activity({ id }, { activity }, { isAdmin }) {
      const row = activity.get(id);
      const stale: Command = { cmd: "cachebust", data: {} };
      if (!row || !isAdmin) return [stale];
      return [stale, { cmd: "activity", data: row }, page("ActivityLog", "activity", { data: row })];
    },
    // No commands: the status of each second reports jobs, and the streams of an ended session are closed.
    jobs: () => [],
    session: () => [],
    bulk({ list }) {
      const loc = bulkPage(list);
      return loc === undefined ? [] : [page(loc, "bulk_delete_completed", {})];
    },
    internal: ({ id }, _facts, { isAdmin }) => (isAdmin ? [page("System", "internal_job_completed", { id })] : []),
    notify: ({ users, data }) => [{ cmd: "notify", data, ...(users ? { users } : {}) }],
  };
  return async (change, facts, audience) => {
    const render = renderings[change.kind] as Rendering<Change["kind"]>;
    return render(change, facts, audience);
  };
}

/** The message about a final job also has its members at the top level, where clients look for the parameters of `update_job`. */
const updatedData = (job: Job): object => (job.final ? { ...job, job } : { job });

async function endCommands(deps: Deps, found: Job | undefined, actor: Actor): Promise<Command[]> {
  const job = await shownJob(deps, found, actor);
  return job ? [single("jobs", job), page(`Job?id=${job.id}`, "job_completed", { job })] : [];
}

/** A job with the parts that the caller may see; undefined = none. */
async function shownJob(deps: Deps, found: Job | undefined, actor: Actor): Promise<Job | undefined> {
  if (!found || !mayAccess(actor, readingOf(found))) return undefined;
  return isLimited(actor) ? deps.snapshot((tx) => withoutHiddenParts(deps, { actor, tx }, found)) : found;
}

/** Firings within the caller's reach: those on servers by their groups, others by their category. */
export async function visibleAlerts(
  { references, snapshot }: Pick<Cradle, "references" | "snapshot">,
  actor: Actor,
  alerts: readonly Invocation[],
): Promise<Readonly<Record<string, Invocation>>> {
  const own = alerts.filter((each) => mayAccess(actor, reachOf(each)));
  const shown = isLimited(actor) ? await snapshot((tx) => references.firings({ actor, tx }, own)) : own;
  return byPlaceAndAlert(shown);
}

function keyCommand({ definitions }: Deps, id: string): Command {
  const key = definitions.get(apiKeyRecords, id);
  return key ? single("api_keys", { ...publicApiKey(key), key: "REDACTED" }) : removed("api_keys", id);
}

function userCommands({ definitions }: Deps, id: string): Command[] {
  const user = definitions.get(userRecords, id);
  if (!user) return [{ cmd: "single", data: { list: "users", item: { username: id }, delete: true } }];
  const { username, full_name, icon = "", roles } = user;
  return [single("users", { username, full_name, icon, roles })];
}

async function serverCommands(
  deps: Deps,
  { id, online }: Extract<Change, { kind: "server" }>,
  stored: Server | undefined,
  { actor, isAdmin, isUnlimited }: Audience,
): Promise<Command[]> {
  const where = deps.servers.whereabouts(id);
  const server = deps.servers.anywhere(id) ?? stored;
  if (server && mayAccess(actor, { serverGroups: server.groups }))
    return [single("servers", publicServer(server, { ...where, online: online || where.online, isAdmin }))];
  if (server && isUnlimited) return [];
  // The groups of a deleted server are unknown. Limited callers get the remaining list rather than the id, since the record may
  // never have been within their reach.
  return isUnlimited ? [removed("servers", id)] : [await serverList(deps, actor)];
}

const serverList = async ({ loginBundle }: Deps, actor: Actor): Promise<Command> => ({
  cmd: "update",
  data: await loginBundle.lists(actor, ["servers"]),
});

function ticketCommands(
  { id, by, category: before }: Extract<Change, { kind: "ticket" }>,
  ticket: Ticket | undefined,
  { actor }: Audience,
): Command[] {
  if (!ticket || !mayAccess(actor, { category: ticket.category ?? "" }))
    return mayAccess(actor, { category: before }) ? [removed("tickets", id)] : [];
  const { body: _body, changes, ...light } = ticket;
  const updated = page(`Ticket?id=${id}`, "ticket_updated", { ticket, username: by });
  return [single("tickets", { ...light, changes: changes.length }), updated];
}
