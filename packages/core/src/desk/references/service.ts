import { isLimited, mayAccess, requireAccess } from "../../directory/access/require-access.ts";
import type { AccessRequest } from "../../directory/access/rules/access.ts";
import { channelRecords } from "../../directory/channels/records.ts";
import type { Invocation } from "../../fleet/alerts/model.ts";
import type { Actor, QueryContext } from "../../kernel/calls/context.ts";
import type { Cradle } from "../../kernel/container.ts";
import { definitionsView } from "../../kernel/transactions/unit-scope.ts";
import { isObject } from "../../lib/json/is-object.ts";
import type { CollectionDefinition, StoredRecord } from "../../ports/storage/collection.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";
import { wiredNodes } from "../../work/graphs/rules/nodes.ts";
import { readingOf } from "../../work/jobs/access/rules/restriction.ts";
import { activeJobRecords, jobRecords } from "../../work/jobs/records.ts";
import { ticketRecords } from "../tickets/records.ts";
import { firingsWithin } from "./firings.ts";
import { REFERENCES, type ReferenceRule } from "./rules/table.ts";
import { addedReferences, type Reference } from "./rules/walk.ts";
import { type Search, searchWithin } from "./searches.ts";

/** Keeps references between records within the limits of their writers (docs/contract/privileges.md#reach). */
export interface References {
  /**
   * Throws `AccessError` when written members name something beyond the caller's reach, unless the stored record of the same id
   * names it in the same way. Unknown ids pass; other checks report them.
   */
  check<T extends StoredRecord>(
    context: Context,
    collection: CollectionDefinition<T>,
    written: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** The jobs or tickets of these ids that the caller may read; ids without a record are left out. */
  visible(context: Context, kind: "job" | "ticket", ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The same for callers who become known later. */
  visibleTo(tx: ReadTx, kind: "job" | "ticket", ids: readonly string[]): Promise<(actor: Actor) => ReadonlySet<string>>;
  /**
   * The list of jobs or tickets to store in place of the present one. Ids that the caller may not see are kept, because pages
   * send back only what they were shown.
   */
  replacing(context: Context, kind: "job" | "ticket", lists: Replacement): Promise<string[]>;
  /** Restricts a search to what the caller may ask: names of jobs and tickets that the caller may not read match nothing. */
  search<T extends StoredRecord>(
    context: Pick<QueryContext, "actor" | "config" | "now" | "tx">,
    search: Search<T>,
  ): Promise<Search<T>>;
  /** Firings as the caller may see them: without jobs and tickets that the caller may not read. */
  firings<T extends Invocation | undefined>(context: Context, invocations: readonly T[]): Promise<readonly T[]>;
}

interface Replacement {
  readonly stored: readonly string[];
  readonly sent: readonly string[];
}

type Context = Pick<QueryContext, "actor" | "tx">;

type Request = AccessRequest & { readonly server?: string };
type Deps = Pick<Cradle, "eventRecords" | "servers">;

const added: readonly ReferenceRule[] = REFERENCES.filter(({ rule }) => rule === "added");
// Older versions of Node.js lack `Map.groupBy`, but must load this file so that createSignalbox can refuse them with a clear
// message.
const checkedRules = new Map(added.map(({ record }) => [record, added.filter((each) => each.record === record)]));

export function createReferences(deps: Deps): References {
  return {
    async check({ actor, tx }, collection, written) {
      const rules = checkedRules.get(collection.name);
      if (!rules || !isLimited(actor)) return;
      const id = written["id"];
      const stored = typeof id === "string" ? await tx.collection(collection).get(id) : undefined;
      for (const reference of addedReferences(withWires({ ...stored }), withWires(written), rules)) {
        const request = await requestFor(deps, { actor, tx }, reference);
        if (request) requireAccess(actor, request);
      }
    },
    visible,
    visibleTo,
    async replacing(context, kind, { stored, sent }) {
      if (!isLimited(context.actor)) return [...new Set(sent)];
      const shown = await visible(context, kind, stored);
      return [...new Set([...stored.filter((id) => !shown.has(id)), ...sent])];
    },
    search: (context, search) => searchWithin(visible, context, search),
    firings: (context, invocations) => firingsWithin(visible, context, invocations),
  };
}

const IDS_AT_ONCE = 100;

const visible: References["visible"] = async ({ actor, tx }, kind, ids) => (await visibleTo(tx, kind, ids))(actor);

const visibleTo: References["visibleTo"] = async (tx, kind, ids) => {
  const ask = kind === "job" ? jobRequests : ticketRequests;
  const requests: (readonly [string, AccessRequest | undefined])[] = [];
  for (let first = 0; first < ids.length; first += IDS_AT_ONCE) {
    const some = ids.slice(first, first + IDS_AT_ONCE);
    const found = await ask(tx, some);
    requests.push(...some.map((id, index) => [id, found[index]] as const));
  }
  return (actor) => new Set(requests.flatMap(([id, request]) => (request && mayAccess(actor, request) ? [id] : [])));
};

type Requests = Promise<readonly (AccessRequest | undefined)[]>;

async function jobRequests(tx: ReadTx, ids: readonly string[]): Requests {
  const ended = await tx.collection(jobRecords).getMany(ids);
  const running = await tx.collection(activeJobRecords).getMany(ids);
  return ids.map((_id, index) => {
    const job = ended[index] ?? running[index]?.job;
    return job && readingOf(job);
  });
}

const ticketRequests = async (tx: ReadTx, ids: readonly string[]): Requests =>
  (await tx.collection(ticketRecords).getMany(ids)).map((ticket) => ticket && { category: ticket.category ?? "" });

/** The record with only the wired graph nodes of its workflow, without their positions in the drawing. */
function withWires(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { workflow } = record;
  return isObject(workflow) ? { ...record, workflow: { nodes: wiredNodes(workflow) } } : record;
}

/** The access that a writer needs to name a record; undefined = the record does not exist or nothing limits it. */
async function requestFor(deps: Deps, { actor, tx }: Context, { kind, id }: Reference): Promise<Request | undefined> {
  const known = definitionsView(tx);
  switch (kind) {
    case "category":
      return { category: id };
    case "group":
      return { group: id };
    case "server":
      return serverRequest(deps, tx, id);
    case "target":
      return targetRequest(await serverRequest(deps, tx, id), actor, id);
    case "event":
      return eventRequest(deps, known, id);
    case "channel": {
      const event = (await known.collection(channelRecords).get(id))?.run_event;
      return event ? eventRequest(deps, known, event) : undefined;
    }
    case "ticket": {
      const [request] = await ticketRequests(tx, [id]);
      return request;
    }
    default:
      return undefined;
  }
}

async function serverRequest({ servers }: Deps, tx: ReadTx, id: string): Promise<Request | undefined> {
  const server = await servers.find(tx, id);
  return server && { serverGroups: server.groups, server: id };
}

/** The access that a target requires. A server needs its own access even if an allowed group has the same id. */
const targetRequest = (server: Request | undefined, actor: Actor, id: string): Request | undefined =>
  server && mayAccess(actor, server) ? undefined : { targets: [id], ...server };

/** A workflow has no targets of its own, so its category decides. */
async function eventRequest({ eventRecords }: Deps, known: ReadTx, id: string): Promise<Request | undefined> {
  const event = await eventRecords.read(known, id);
  if (!event) return undefined;
  const { category, targets, type } = event;
  return type === "workflow" ? { category } : { category, targets };
}
