import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import type { SearchableTable, WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { searchCondition } from "../../../kernel/searches/search-page.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { nextTurn } from "../../../lib/turns/gather-more.ts";
import { settleAll } from "../../../lib/turns/settle-all.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { afterId, allOf, anyOf, atMost, everything, hasWord, type SearchNode } from "../../../search/ast.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { activeJobCollection, jobCollection, jobSearch, MAX_WORD } from "../collection.ts";
import type { JobLogs } from "../logs/job-logs.ts";
import type { FinalJob, Job } from "../model.ts";
import { ownUploads } from "../rules/owned-files.ts";
import type { JobStats } from "./stats.ts";

/** The jobs that a background deletion removes. */
export type BulkDeletion =
  /** A query of the search language; jobs that end after `now` (Unix seconds) are never removed. */
  | { readonly query: string; readonly now: number }
  /** All jobs of an event, or of the workflow that it is, that have ended by `now`; absent = whenever they end. */
  | { readonly event: string; readonly now?: number | undefined };

interface RemovingOptions {
  readonly signal: AbortSignal;
  readonly tell?: (removed: number) => void;
}

/** Deletes finished jobs with everything that belongs to them (docs/contract/jobs.md#removal). */
export interface JobDeletion {
  /** Deletes the record now; queued work deletes log, files and sub-jobs after the commit. */
  remove(unit: Pick<Unit, "tx" | "emit">, job: FinalJob): Promise<void>;
  /** Queues the deletion of all matching jobs, in bounded steps, oldest first; `runAt` is Unix seconds. */
  enqueue(tx: WriteTx, what: BulkDeletion, options?: { readonly runAt: number }): Promise<void>;
  /** Deletes them now; `tell` is called with the number of deleted jobs. */
  removeMatching(what: BulkDeletion, options: RemovingOptions): Promise<void>;
  /** Worker of "jobs.bulk_delete". */
  readonly bulkWorker: WorkHandler;
  /** Worker of "jobs.remove_files". */
  readonly filesWorker: WorkHandler;
  /** Deletes a stored file unless a job still reads it. */
  removeFile(path: string): Promise<void>;
  /** Deletes the oldest jobs beyond `db_maint.jobs.max_rows`. */
  prune(signal: AbortSignal): Promise<void>;
}

const PAGE = 100;
/** Jobs deleted in one turn of the event loop: about five milliseconds. */
const IN_A_TURN = 20;
const FILES_AT_ONCE = 100;
const FilesItem = object(() => ({ id: z.string(), inputs: z.array(z.string()).optional() }));
const BulkItem = z.union([
  object(() => ({ query: z.string(), now: z.number() })),
  object(() => ({ event: z.string(), now: z.number().optional() })),
]);

type Deps = Pick<Cradle, "config" | "events" | "files" | "snapshot" | "transact">;

export function createDeletion(
  deps: Deps,
  { logs, stats }: { readonly logs: JobLogs; readonly stats: JobStats },
): JobDeletion {
  const { config, events, transact } = deps;

  /** Deletes one page of the matching jobs, oldest first; returns their number. */
  const removePage = (where: SearchNode, most = PAGE, sortBy = "id"): Promise<number> =>
    transact(async (unit) => {
      const page = { sortBy, limit: Math.min(PAGE, most) };
      const { rows } = await unit.tx.collection(jobCollection).find(where, page);
      await removeList(stats, unit, rows);
      return rows.length;
    });
  const removeAll = (where: SearchNode, options: RemovingOptions): Promise<number> =>
    removePages(() => removePage(where), options);

  /**
   * Deletes the records that a bulk deletion names. Parts of active workflows are spared, except when their event is deleted with
   * its jobs.
   */
  const removeOrdered = (what: BulkDeletion, options: RemovingOptions): Promise<number> => {
    const where = conditionOf(config, what);
    return "event" in what ? removeAll(where, options) : removeUnlessPart(transact, { where, stats, ...options });
  };

  return {
    remove: (unit, job) => removeList(stats, unit, [job]),
    enqueue: (tx, what, options) => tx.enqueue("jobs.bulk_delete", what, options),
    async removeMatching(what, options) {
      await removeOrdered(what, options);
      events.emit("bulk.deleted", { list: "jobs" });
    },
    async bulkWorker({ payload }, _cradle, signal) {
      const removed = await removeOrdered(BulkItem.parse(payload), { signal });
      if (removed > 0) events.emit("bulk.deleted", { list: "jobs" });
    },
    removeFile: (path) => removeUnnamed(deps, path),
    async filesWorker({ payload }, _cradle, signal) {
      const item = FilesItem.parse(payload);
      const files = removeFiles(deps, item, signal);
      await settleAll([logs.remove(item.id), files, removeAll(hasWord("parent", item.id), { signal })]);
    },
    prune: (signal) => pruneSurplus(deps, { signal, removePage: (most) => removePage(everything, most, "completed") }),
  };
}

async function removeList(
  stats: JobStats,
  { tx, emit }: Pick<Unit, "tx" | "emit">,
  list: readonly FinalJob[],
): Promise<void> {
  for (const [index, job] of list.entries()) {
    const { id } = job;
    if (index > 0 && index % IN_A_TURN === 0) await nextTurn();
    await stats.forget(tx, job);
    await tx.collection(jobCollection).delete(id);
    await tx.enqueue("jobs.remove_files", { id, inputs: ownUploads(job) }, { key: id });
    emit("job.deleted", { id });
  }
  await markStubs(tx, list);
}

/** Returns the number of deleted jobs. */
async function removePages(removePage: () => Promise<number>, { signal, tell }: RemovingOptions): Promise<number> {
  let all = 0;
  for (let removed = PAGE; removed === PAGE; tell?.(all)) {
    signal.throwIfAborted();
    removed = await removePage();
    all += removed;
  }
  return all;
}

interface OrderedRemoval extends RemovingOptions {
  readonly where: SearchNode;
  readonly stats: JobStats;
}

/** Returns the number of deleted jobs. */
async function removeUnlessPart(
  transact: Deps["transact"],
  { where, stats, signal, tell }: OrderedRemoval,
): Promise<number> {
  let all = 0;
  for (let last: string | undefined = ""; last !== undefined; tell?.(all)) {
    signal.throwIfAborted();
    const from: string = last;
    const { removed, next } = await transact(async (unit) => {
      const jobs = unit.tx.collection(jobCollection);
      const { rows } = await jobs.find(allOf([where, afterId(from)]), { sortBy: "id", limit: PAGE });
      const running = await activeWorkflowsOf(unit.tx, rows);
      const free = rows.filter((job) => !running.has(parentOf(job)));
      await removeList(stats, unit, free);
      return { removed: free.length, next: rows.length === PAGE ? rows.at(-1)?.id : undefined };
    });
    all += removed;
    last = next;
  }
  return all;
}

type Part = Pick<Job, "workflow">;

const parentOf = ({ workflow }: Part): unknown => workflow?.["job"];

/** Workflows of these jobs that still run, and need the records of their parts. */
export async function activeWorkflowsOf(tx: ReadTx, jobs: readonly Part[]): Promise<ReadonlySet<unknown>> {
  const running = new Set<unknown>();
  for (const id of new Set(jobs.map(parentOf)))
    if (typeof id === "string" && (await tx.collection(activeJobCollection).get(id))) running.add(id);
  return running;
}

async function removeUnnamed({ files, snapshot }: Deps, path: string): Promise<void> {
  if (!(await snapshot((tx) => isNamed(tx, path)))) await files.remove(path);
}

interface Pruning {
  readonly signal: AbortSignal;
  /** Deletes the jobs with the earliest end: ids of imported jobs may not be chronological. */
  removePage(most: number): Promise<number>;
}

async function pruneSurplus({ config, snapshot }: Deps, { signal, removePage }: Pruning): Promise<void> {
  for (let removed = PAGE; removed === PAGE && !signal.aborted; ) {
    const { total } = await snapshot((tx) => tx.collection(jobCollection).find(everything, { limit: 1 }));
    const surplus = total - config.db_maint.jobs.max_rows;
    removed = surplus > 0 ? await removePage(surplus) : 0;
  }
}

/** Deletes a final job, for deletions that name its table. */
export const removeFinalJob: NonNullable<SearchableTable["remove"]> = (id, { actor, client }, { jobs, transact }) =>
  transact(
    async (unit) => {
      const job = await unit.tx.collection(jobCollection).get(id);
      if (job) await jobs.deletion.remove(unit, job);
    },
    { actor, client },
  );

function conditionOf(config: Cradle["config"], what: BulkDeletion): SearchNode {
  if ("event" in what) return endedBy(what.now, anyOf([hasWord("event", what.event), hasWord("workflow", what.event)]));
  const { query, now } = what;
  const { where } = searchCondition({ now, config }, query, { collection: jobCollection, table: jobSearch });
  return endedBy(now, where);
}

const endedBy = (now: number | undefined, where: SearchNode): SearchNode =>
  now === undefined ? where : allOf([where, atMost("completed", now)]);

async function removeFiles(deps: Deps, item: z.infer<typeof FilesItem>, signal: AbortSignal): Promise<void> {
  const { id, inputs = [] } = item;
  const output = removeFolder(deps, `files/jobs/${id}/`, signal);
  await settleAll([output, removeEach(inputs, (path) => removeUnnamed(deps, path))]);
}

async function removeFolder({ files }: Deps, folder: string, signal: AbortSignal): Promise<void> {
  for (let keys = [""]; keys.length > 0; ) {
    signal.throwIfAborted();
    keys = await files.list(folder, { limit: FILES_AT_ONCE });
    await removeEach(keys, files.remove);
  }
}

/** Deletes every key that the store accepts, and only then throws for the keys that it refused, so that the work is retried. */
async function removeEach(keys: readonly string[], remove: (key: string) => Promise<unknown>): Promise<void> {
  const faults: unknown[] = [];
  for (const key of keys)
    try {
      await remove(key);
    } catch (error) {
      faults.push(error);
    }
  if (faults.length > 0) throw faults[0];
}

/**
 * Retries and workflows pass on the same files, which stay until the last job that reads them is gone
 * (docs/contract/files.md#traps).
 */
async function isNamed(tx: ReadTx, path: string): Promise<boolean> {
  const one = { limit: 1 };
  // Compares only the characters that the index stores: a file may stay too long, but is never deleted too early.
  const named = hasWord("inputs", path.slice(0, MAX_WORD));
  if ((await tx.collection(jobCollection).find(named, one)).total > 0) return true;
  return (await tx.collection(activeJobCollection).find(named, one)).total > 0;
}

/** Marks deleted sub-jobs in the lists of their workflows. Each workflow is written once, because it may list thousands. */
async function markStubs(tx: WriteTx, removed: readonly FinalJob[]): Promise<void> {
  const jobs = tx.collection(jobCollection);
  for (const [parent, parts] of Map.groupBy(removed, parentOf)) {
    const stored = typeof parent === "string" ? await jobs.get(parent) : undefined;
    const graph = stored?.["workflow"];
    if (!stored || !isObject(graph) || !isObject(graph["jobs"])) continue;
    const ids = new Set(parts.map(({ id }) => id));
    const lists = Object.entries(graph["jobs"]).map(([node, stubs]) => [node, markIn(stubs, ids)]);
    await jobs.update(stored.id, (job) => ({ ...job, workflow: { ...graph, jobs: Object.fromEntries(lists) } }));
  }
}

const markIn = (stubs: unknown, ids: ReadonlySet<string>): unknown =>
  Array.isArray(stubs)
    ? stubs.map((stub) => (isObject(stub) && ids.has(String(stub["id"])) ? { ...stub, deleted: true } : stub))
    : stubs;
