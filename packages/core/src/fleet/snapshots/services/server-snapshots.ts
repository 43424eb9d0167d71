import type { Cradle } from "../../../kernel/container.ts";
import { DuplicateError } from "../../../kernel/errors/errors.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { equal } from "../../../search/ast.ts";
import type { HostRecord } from "../../servers/model.ts";
import { snapshotCollection, snapshotPartCollection } from "../collection.ts";
import { partId, type SnapshotSource, type StoredSnapshot } from "../model.ts";
import { fitData, sizeOf } from "../rules/fit.ts";
import { pruned, splitData } from "../rules/halves.ts";
import { activeAlerts, jobsOn, type QuickSamples, quickSamples } from "./facts.ts";

export interface Origin {
  readonly source: SnapshotSource;
  readonly username?: string;
  /** Idempotency key: if a snapshot with this key exists, its id is returned and none is taken. */
  readonly key?: string;
}

export interface ServerSubject {
  /** Current groups of the server. */
  readonly groups: readonly string[];
  readonly record: HostRecord;
  /** The job whose action takes the snapshot; while its actions run, it is not active any more. */
  readonly job?: string;
  /** Quick samples that were fetched beforehand; absent = use the samples on this node. */
  readonly quick?: QuickSamples | undefined;
}

/** Takes a snapshot of a server from one of its minutes. Returns its id, or why it cannot be taken. */
export type TakeServerSnapshot = (
  unit: Unit,
  subject: ServerSubject,
  origin: Origin,
) => Promise<{ readonly id: string } | { readonly fault: string }>;

type Deps = Pick<Cradle, "activeJobs" | "config" | "ids" | "jobInbox" | "monitors" | "servers">;

/** Reads the job and monitor services from the cradle only when they are needed. */
export function createTakeServerSnapshot(deps: Deps): TakeServerSnapshot {
  const { config, ids } = deps;
  return async ({ tx, emit }, { groups, record, job: own, quick }, origin) => {
    const { id: server, groups: _sampled, server: _name, data, ...members } = record;
    if (data["dummy"]) return { fault: `Monitoring is disabled on server: ${server}` };
    const fitted = fitData(data, config.api.max_record_size);
    if (!fitted) return { fault: "Record is too large." };
    const { light, heavy } = splitData(fitted.value);
    const quickmon = (quick ?? quickSamples(deps, server)).map((sample) => ({ ...sample }));
    const snapshot: StoredSnapshot = {
      ...members,
      id: ids.short("sn"),
      type: "server",
      ...origin,
      server,
      groups: [...groups],
      data: light,
      alerts: await activeAlerts(tx, "server", server),
      jobs: await jobsOn(deps, tx, { server, own }),
      quickmon,
      parts: 1,
      size: sizeOf(heavy),
      lightSize: sizeOf(light) + sizeOf(quickmon),
    };
    const id = await insertOnce(tx, snapshot);
    if (id !== snapshot.id) return { id };
    await tx.collection(snapshotPartCollection).insert({ id: partId(id, 0), members: { data: heavy } });
    emit("snapshot.created", pruned(snapshot));
    return { id };
  };
}

/** Inserts a snapshot. Returns its id, or the id of an earlier one with the same key. */
export async function insertOnce(tx: WriteTx, snapshot: StoredSnapshot): Promise<string> {
  const snapshots = tx.collection(snapshotCollection);
  try {
    await snapshots.insert(snapshot);
    return snapshot.id;
  } catch (error) {
    if (!(error instanceof DuplicateError) || snapshot.key === undefined) throw error;
    const { rows } = await snapshots.find(equal("key", snapshot.key), { limit: 1 });
    if (!rows[0]) throw error;
    return rows[0].id;
  }
}
