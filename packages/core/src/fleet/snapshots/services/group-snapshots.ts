import { setImmediate as nextTurn } from "node:timers/promises";
import type { Group } from "../../../directory/groups/model.ts";
import type { PrepareContext } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { byId } from "../../../lib/by-id.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import type { HostRecord } from "../../servers/model.ts";
import { publicServer } from "../../servers/rules/shown/public.ts";
import { snapshotCollection, snapshotPartCollection } from "../collection.ts";
import { type HeavyMembers, partId, type SnapshotPart, type StoredSnapshot } from "../model.ts";
import { fitData, fitSamples, sizeOf } from "../rules/fit.ts";
import { pruned } from "../rules/halves.ts";
import { type GroupMember, membersOf } from "../rules/members.ts";
import { activeAlerts, type QuickSamples, quickSamples, quickSamplesOf, runningOn } from "./facts.ts";
import { insertOnce, type Origin } from "./server-snapshots.ts";

/** A group snapshot before it is stored. */
export interface GroupDraft {
  readonly snapshot: StoredSnapshot;
  readonly parts: readonly SnapshotPart[];
}

/** Opens one read snapshot of the storage per call; a draft makes several in a row, so that others get their turn. */
type Read = PrepareContext["read"];

/** How a draft reads. `hosted` = inside a transaction of the host, so that no other node is asked. */
type DraftPlace = Pick<PrepareContext, "hosted" | "read">;

export interface GroupSnapshots {
  /** Assembles a snapshot in slices of time; stores nothing. */
  draft(group: Group, origin: Origin, place?: DraftPlace): Promise<GroupDraft>;
  /** Stores the parts, each in its own transaction. They are removed after a while unless `store` follows. */
  stage(draft: GroupDraft): Promise<void>;
  /** Makes a staged draft a snapshot; returns its id, or the id of an earlier snapshot with the same key. */
  store(unit: Unit, draft: GroupDraft): Promise<string>;
  /** Stages and stores a draft within the caller's transaction, for callers who have only that one. */
  storeWhole(unit: Unit, draft: GroupDraft): Promise<string>;
}

/** Kind of the queued work that removes parts without a snapshot. */
export const SWEEP_KIND = "snapshots.sweep";
const SWEEP_AFTER_SEC = 600;
/** Milliseconds of work between two breaks for other work. */
const SLICE_MS = 8;
/** Approximate characters per part. */
const PART_SIZE = 262_144;
/** A group snapshot may be as large as this many records of `api.max_record_size`. */
const MAX_RECORDS = 8;
/** Most servers of a group that are taken: with more, each share of the size would be too small for any data. */
const MAX_SERVERS = 2000;

type Deps = Pick<
  Cradle,
  "activeJobs" | "clock" | "config" | "ids" | "jobInbox" | "monitors" | "servers" | "snapshot" | "transact"
>;

/** Reads the job, monitor and server services from the cradle only when they are needed. */
export function createGroupSnapshots(deps: Deps): GroupSnapshots {
  const { clock, snapshot, transact } = deps;
  return {
    draft: (group, origin, { read, hosted } = { read: snapshot, hosted: false }) =>
      draftGroup(deps, { group, origin, read, newest: createNewest(deps, read, hosted) }),
    async stage({ snapshot: { id, parts: count }, parts }) {
      for (const [index, part] of parts.entries()) {
        await transact(async ({ tx }) => {
          if (index === 0) await tx.enqueue(SWEEP_KIND, { id, parts: count }, { runAt: clock.now() + SWEEP_AFTER_SEC });
          await tx.collection(snapshotPartCollection).insert(part);
        });
        await nextTurn();
      }
    },
    async store({ tx, emit }, draft) {
      const id = await insertOnce(tx, draft.snapshot);
      if (id === draft.snapshot.id) emit("snapshot.created", pruned(draft.snapshot));
      return id;
    },
    async storeWhole({ tx, emit }, { snapshot: record, parts }) {
      const id = await insertOnce(tx, record);
      if (id !== record.id) return id;
      for (const part of parts) await tx.collection(snapshotPartCollection).insert(part);
      emit("snapshot.created", pruned(record));
      return id;
    },
  };
}

interface DraftRequest {
  readonly group: Group;
  readonly origin: Origin;
  readonly read: Read;
  readonly newest: Newest;
}

/** The newest minutes and quick samples of servers, by server id. */
interface Newest {
  minutes(ids: readonly string[]): Promise<ReadonlyMap<string, HostRecord>>;
  quick(ids: readonly string[]): Promise<ReadonlyMap<string, QuickSamples>>;
}
/** Minutes that are in memory at once, about half a megabyte. */
const MINUTES_AT_ONCE = 32;

/**
 * Inside a transaction of the host no other node is asked: minutes are the stored ones, and quick samples of servers on
 * other nodes are left out.
 */
function createNewest(deps: Deps, read: Read, hosted: boolean): Newest {
  const { servers } = deps;
  if (!hosted)
    return {
      minutes: (ids) => read((tx) => servers.newestRecords(tx, ids)),
      quick: (ids) => quickSamplesOf(deps, ids),
    };
  return {
    minutes: (ids) =>
      read(async (tx) => {
        const stored = await Promise.all(ids.map((id) => servers.hostRecord(tx, id)));
        return byId(stored);
      }),
    quick: async (ids) => new Map(ids.map((id) => [id, quickSamples(deps, id)])),
  };
}

async function draftGroup(deps: Deps, { group, origin, read, newest }: DraftRequest): Promise<GroupDraft> {
  const { clock, config, ids, servers } = deps;
  const now = Math.floor(clock.now());
  const members = membersOf(group.id, { active: servers.everywhere(), recent: servers.recent() }, now);
  const taken = members.slice(0, MAX_SERVERS);
  const id = ids.short("sn");
  const filled = await fillParts(deps, {
    id,
    group,
    taken,
    read,
    newest,
    budget: config.api.max_record_size * MAX_RECORDS,
  });
  const isTruncated = filled.truncated || taken.length < members.length;
  const snapshot: StoredSnapshot = {
    id,
    type: "group",
    ...origin,
    date: now,
    server: "",
    groups: [group.id],
    alerts: await read((tx) => activeAlerts(tx, "groups", group.id)),
    jobs: [...new Set(filled.jobs)],
    ...(isTruncated ? { truncated: true } : {}),
    parts: filled.parts.length,
    size: filled.size,
    lightSize: 0,
  };
  return { snapshot, parts: filled.parts };
}

interface FillRequest {
  readonly id: string;
  readonly group: Group;
  readonly taken: readonly GroupMember[];
  readonly read: Read;
  readonly newest: Newest;
  /** Characters. */
  readonly budget: number;
}

interface Filled {
  readonly parts: readonly SnapshotPart[];
  readonly jobs: readonly string[];
  readonly size: number;
  readonly truncated: boolean;
}

/**
 * Fills the parts. Each server gets an equal share of the remaining budget, so that a large one takes nothing from
 * others.
 */
async function fillParts(deps: Deps, { id, group, taken, read, newest, budget }: FillRequest): Promise<Filled> {
  const parts: SnapshotPart[] = [{ id: partId(id, 0), members: { group_def: group } }];
  const jobs: string[] = [];
  let waiting: Entry[] = [];
  let [left, size, truncated, began] = [budget, 0, false, deps.clock.monotonicMs()];
  const flush = (): void => {
    if (waiting.length > 0) parts.push({ id: partId(id, parts.length), members: membersFrom(waiting) });
    waiting = [];
  };
  let records: ReadonlyMap<string, HostRecord> = new Map();
  let quick: ReadonlyMap<string, QuickSamples> = new Map();
  for (const [index, member] of taken.entries()) {
    if (index % MINUTES_AT_ONCE === 0) {
      const next = taken.slice(index, index + MINUTES_AT_ONCE).map(({ server }) => server.id);
      records = await newest.minutes(next);
      quick = await newest.quick(next);
      jobs.push(...(await read((tx) => runningOn(deps, tx, next))));
    }
    const share = Math.floor(left / (taken.length - index));
    const { id: server } = member.server;
    const entry = readEntry({ member, record: records.get(server), samples: quick.get(server) ?? [], share });
    left -= entry.size;
    size += entry.size;
    truncated ||= entry.truncated;
    waiting.push(entry);
    if (waiting.reduce((sum, each) => sum + each.size, 0) >= PART_SIZE) flush();
    if (deps.clock.monotonicMs() - began < SLICE_MS) continue;
    await nextTurn();
    began = deps.clock.monotonicMs();
  }
  flush();
  return { parts, jobs, size, truncated };
}

/** One server of a group snapshot. */
interface Entry {
  readonly server: Readonly<Record<string, unknown>>;
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly quick: readonly Readonly<Record<string, unknown>>[];
  readonly size: number;
  readonly truncated: boolean;
}

const membersFrom = (entries: readonly Entry[]): HeavyMembers => ({
  servers: entries.map(({ server }) => server),
  snapshots: entries.map(({ record }) => record),
  quickmons: entries.map(({ quick }) => quick),
});

interface EntryRequest {
  readonly member: GroupMember;
  readonly record: HostRecord | undefined;
  readonly samples: QuickSamples;
  /** Characters that this server may take. */
  readonly share: number;
}

function readEntry({ member, record: found, samples, share }: EntryRequest): Entry {
  const { offline } = member;
  const server = { ...publicServer(member.server, { online: !offline }), offline };
  const room = share - sizeOf(server);
  const { id } = member.server;
  const fitted = found && fitData(found.data, room);
  const { id: _id, ...members } = found ?? { id };
  const record = fitted ? { ...members, data: fitted.value } : null;
  const quick = fitSamples(samples, room - (fitted?.size ?? 0));
  const truncated = fitted?.value !== found?.data || quick.value.length < samples.length;
  return { server, record, quick: quick.value, size: share - room + (fitted?.size ?? 0) + quick.size, truncated };
}

/** Queued work: removes parts whose snapshot was never stored. */
export const sweepParts: WorkHandler = async ({ payload }, { transact }) => {
  const { id, parts } = payload as { id: string; parts: number };
  await transact(async ({ tx }) => {
    if (!(await tx.collection(snapshotCollection).get(id))) await deleteParts(tx, id, parts);
  });
};

export async function deleteParts(tx: WriteTx, id: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await tx.collection(snapshotPartCollection).delete(partId(id, index));
}
