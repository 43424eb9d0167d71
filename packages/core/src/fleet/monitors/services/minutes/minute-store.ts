import { agentAt, systemActor } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { bytesIn, joinPieces, type TextPieces } from "../../../../lib/text/text-pieces.ts";
import { settleAll } from "../../../../lib/turns/settle-all.ts";
import type { HostRecord } from "../../../servers/model.ts";
import { canBeTold } from "../../../servers/rules/minutes/told-minutes.ts";
import { recordText } from "../../rules/minutes/host-record.ts";
import { isSaveDue, savedNow } from "../../rules/minutes/host-saving.ts";
import { timelineWriter } from "../timeline/timeline-writer.ts";
import type { HostRecords } from "./host-records.ts";
import { type MinuteMemory, previousOf, type ReadMinute, type Sampled } from "./minute.ts";
import type { MinuteRing } from "./minute-ring.ts";

/** An evaluated minute with the JSON of its record, if that is known before alerts fire. */
export interface WrittenMinute extends ReadMinute {
  /** Undefined = alerts may fire, which the record will list. */
  readonly json: TextPieces | undefined;
}

/**
 * Stores evaluated minutes of different servers in one transaction. Returns the new memories in the same order. Skips
 * servers that have moved to another node meanwhile.
 */
export type StoreMinutes = (minutes: readonly WrittenMinute[]) => Promise<(MinuteMemory | undefined)[]>;

type SampledMinute = WrittenMinute & { readonly sampled: Sampled };
type SignedEntry = Parameters<Cradle["activity"]["writeMany"]>[1][number];
type AlertSample = Parameters<Cradle["alerts"]["evaluation"]["advance"]>[1][number];
type Fired = Readonly<Record<string, true>>;

/** Serialises the record once, if possible before the transaction, so that a retry need not do it again. */
export function writeMinute(minute: ReadMinute): WrittenMinute {
  const mayFire = minute.sampled !== undefined && minute.sampled.alerts.held.size > 0;
  return { ...minute, json: mayFire ? undefined : recordText(minute.record, minute.text) };
}

type Deps = Pick<Cradle, "activity" | "alerts" | "nodes" | "servers" | "transact">;

/** What keeps the texts of minutes outside the storage. */
export interface KeptMinutes {
  readonly hostRecords: HostRecords;
  readonly ring: Pick<MinuteRing, "keep">;
}

export function createStoreMinutes(deps: Deps, kept: KeptMinutes): StoreMinutes {
  return async (sent) =>
    await deps.transact(async (unit) => {
      const gone = await deps.servers.goneElsewhere(
        unit.tx,
        sent.map(({ server }) => server.id),
      );
      const minutes = sent.filter(({ server }) => !gone.has(server.id));
      const sampled = minutes.filter((minute): minute is SampledMinute => minute.sampled !== undefined);
      const fired = await advanceAlerts(deps, unit, sampled);
      const stored = sampled.filter(({ isLate }) => !isLate);
      const history = stored.map(({ server, memory, record, sampled: { monitors, deltas } }) => {
        const alerts = fired.get(server.id) ?? {};
        return { server: server.id, head: memory.head, sample: { date: record.date, monitors, deltas, alerts } };
      });
      const [heads, saved] = await settleAll([
        timelineWriter.appendMany(unit.tx, history),
        saveRecords(
          { deps, kept, unit, fired },
          minutes.filter(({ isLate }) => !isLate),
        ),
      ]);
      const next = new Map(stored.map(({ server }, index) => [server.id, heads[index]]));
      for (const { server } of stored) unit.emit("server.minute", { id: server.id });
      return sent.map(({ server, record, memory }) => {
        if (gone.has(server.id)) return undefined;
        const savedAt = saved.has(server.id) ? savedNow(server.id, memory, record.date) : memory.savedAt;
        return { previous: previousOf(record), head: next.get(server.id) ?? memory.head, savedAt };
      });
    });
}

/** Returns the alerts that fired, by server id. */
async function advanceAlerts(
  deps: Deps,
  unit: Unit,
  minutes: readonly SampledMinute[],
): Promise<ReadonlyMap<string, Fired>> {
  const entries: SignedEntry[] = [];
  const samples = minutes.map(({ server, record, sampled }): AlertSample => {
    const { groups, date } = record;
    const client = agentAt(server.ip);
    // Many servers share the transaction, but each activity row carries the address of its own server.
    const audit: Unit["audit"] = (action, detail) =>
      void entries.push({ entry: { action, detail }, actor: systemActor, client });
    return { server, date, groups, readings: sampled.alerts, unit: { ...unit, audit } };
  });
  const fired = await deps.alerts.evaluation.advance(unit.tx, samples);
  await deps.activity.writeMany(unit.tx, entries);
  return new Map(minutes.map(({ server }, index) => [server.id, fired[index] ?? {}]));
}

interface Saving {
  readonly deps: Deps;
  readonly kept: KeptMinutes;
  readonly unit: Unit;
  readonly fired: ReadonlyMap<string, Fired>;
}

/**
 * Stores the records that are due, the records of servers on which an alert holds, and the records that other nodes
 * could not fetch or date. The others stay in memory. Returns the ids of servers whose records were stored.
 */
async function saveRecords(
  { deps, kept: { hostRecords, ring }, unit: { tx }, fired }: Saving,
  minutes: readonly WrittenMinute[],
): Promise<ReadonlySet<string>> {
  const hasPeers = deps.nodes.hasPeers();
  const documents = minutes.map((minute) => withAlerts(minute, fired.get(minute.record.id)));
  const due = documents.filter(
    ({ record, memory, json, mayFire, isDated }) =>
      mayFire || isSaveDue(memory, record.date) || (hasPeers && !(isDated && canBeTold(bytesIn(json)))),
  );
  await deps.servers.storeMinutes(
    tx,
    due.map(({ id, json }) => ({ id, json: joinPieces(json) })),
  );
  const saved = new Set(due.map(({ id }) => id));
  // Runs before the in-process event is emitted, so that its listeners already see the minute.
  tx.afterCommit(() => {
    for (const { id, record, json } of documents) {
      const text = deps.servers.recorded(record, json);
      ring.keep({ id, json, date: record.date });
      if (saved.has(id)) hostRecords.saved(id);
      else hostRecords.kept({ id, json }, text);
    }
  });
  return saved;
}

interface Complete {
  readonly id: string;
  readonly record: HostRecord;
  readonly memory: MinuteMemory;
  readonly json: TextPieces;
  readonly mayFire: boolean;
  /** True when the timeline has the time of the minute. */
  readonly isDated: boolean;
}

function withAlerts({ record, text, json, memory, sampled }: WrittenMinute, fired: Fired = {}): Complete {
  const complete = Object.keys(fired).length > 0 ? { ...record, new_alerts: fired } : record;
  return {
    id: record.id,
    record: complete,
    memory,
    json: json ?? recordText(complete, text),
    mayFire: json === undefined,
    isDated: sampled !== undefined,
  };
}
