import type { Cradle } from "../../../kernel/container.ts";
import { localClient } from "../../../kernel/context.ts";
import { NotFoundError } from "../../../kernel/errors.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { WriteTx } from "../../../ports/storage.ts";
import { hostCollection } from "../../servers/collection.ts";
import type { HostRecord, Server } from "../../servers/model.ts";
import { type Bucket, SYSTEMS, type System } from "../model.ts";
import { evaluateMonitors, type PreviousMinute } from "../rules/evaluate.ts";
import { boundData, hostRecord, type MinuteMessage, type RecordInput } from "../rules/host-record.ts";
import { placeSample, type TimelineSample } from "../rules/timeline-merge.ts";
import type { CompiledMonitors } from "./compiled.ts";

type Points = Partial<Record<System, Bucket>>;

/** What is kept of a server's last minute, so that the next one need not read it back. */
export interface MinuteMemory {
  readonly previous: PreviousMinute | undefined;
  readonly points: Points | undefined;
  readonly isStored: boolean;
}

export const emptyMemory = (): MinuteMemory => ({ previous: undefined, points: undefined, isStored: false });

/** Evaluates and stores one minute of one server in one transaction (part 20 §4). Returns what to remember. */
export type RunMinute = (server: Server, message: MinuteMessage, memory: MinuteMemory) => Promise<MinuteMemory>;

/** Milliseconds for all expressions of one minute of one server (part 24 §7). */
const BUDGET_MS = 2000;

type Outcome = { readonly refused: "duplicate" | "late" } | { readonly record: HostRecord; readonly points: Points };

/** The alert and server services are read from the cradle when they are needed: they depend on this one in turn. */
export function createRunMinute(cradle: Cradle, compiled: CompiledMonitors): RunMinute {
  const { clock, log, transact } = cradle;

  const store = async (unit: Unit, input: RecordInput, memory: MinuteMemory): Promise<Outcome> => {
    const { tx } = unit;
    const { server, date, data } = input;
    const previous = memory.previous ?? previousOf(await tx.collection(hostCollection).get(server.id));
    const last = memory.points ?? (await newestPoints(tx, server.id));
    // Before anything is evaluated: a minute that is there already, or is older than what is there, has no effect at all.
    const refused = refusalOf(last, date);
    if (refused) return { refused };
    const isOver = createBudget(cradle, server.id);
    const readings = evaluateMonitors(compiled.all(), { data, date, groups: server.groups, previous, isOver });
    const { monitors, deltas, context } = readings;
    const sampled = hostRecord(input, readings);
    const alerts = await cradle.alerts.evaluate(unit, { server, record: sampled, context, isOver });
    const points = await appendPoints(tx, server.id, { last, sample: { date, monitors, deltas, alerts } });
    const record = hostRecord(input, readings, alerts);
    await saveHost(tx, record, memory.isStored || previous !== undefined);
    // Before the event is out, so that whoever hears of the minute also sees it.
    tx.afterCommit(() => cradle.servers.recorded(record));
    unit.emit("server.minute", { id: server.id });
    return { record, points };
  };

  return async (server, message, memory) => {
    const input: RecordInput = { server, message, data: boundData(message.data), date: Math.floor(clock.now()) };
    const origin = { client: { ...localClient, ip: server.ip, ips: [server.ip] } };
    if (message.data["dummy"]) {
      const record = hostRecord(input);
      await transact(({ tx }) => saveHost(tx, record, memory.isStored), origin);
      cradle.servers.recorded(record);
      return { ...memory, previous: previousOf(record), isStored: true };
    }
    const outcome = await transact((unit) => store(unit, input, memory), origin);
    if ("refused" in outcome) {
      if (outcome.refused === "late") log.error({ server: server.id }, "Timeline out of order");
      return memory;
    }
    const { record, points } = outcome;
    return { previous: previousOf(record), points, isStored: true };
  };
}

/** Becomes true, and says so once, when the expressions of this minute have taken too long. */
function createBudget({ clock, log }: Pick<Cradle, "clock" | "log">, server: string): () => boolean {
  const deadlineMs = clock.monotonicMs() + BUDGET_MS;
  let isOver = false;
  return () => {
    if (!isOver && clock.monotonicMs() >= deadlineMs) {
      isOver = true;
      log.warn({ server }, "The minute of a server took too long; the rest of its expressions is skipped");
    }
    return isOver;
  };
}

function previousOf(record: HostRecord | undefined): PreviousMinute | undefined {
  const monitors = record?.data["monitors"];
  if (!record || typeof monitors !== "object" || monitors === null) return undefined;
  return { date: record.date, monitors: monitors as Record<string, unknown> };
}

async function newestPoints(tx: WriteTx, server: string): Promise<Points> {
  const points: Points = {};
  for (const system of SYSTEMS) {
    const [newest] = await tx.timeline.latest({ server, system }, 1);
    if (newest) points[system] = newest;
  }
  return points;
}

function refusalOf(last: Points, date: number): "duplicate" | "late" | undefined {
  const nothing: TimelineSample = { date, monitors: {}, deltas: {}, alerts: {} };
  const kinds = SYSTEMS.map((system) => placeSample(last[system], nothing, system).kind);
  if (kinds.includes("late")) return "late";
  return kinds.includes("duplicate") ? "duplicate" : undefined;
}

async function appendPoints(
  tx: WriteTx,
  server: string,
  { last, sample }: { readonly last: Points; readonly sample: TimelineSample },
): Promise<Points> {
  const points: Points = {};
  for (const system of SYSTEMS) {
    const placed = placeSample(last[system], sample, system);
    if (placed.kind !== "put") throw new Error(`Timeline ${system} of server ${server} refused a checked sample`);
    await tx.timeline.put({ server, system }, placed.point);
    points[system] = placed.point;
  }
  return points;
}

async function saveHost(tx: WriteTx, record: HostRecord, isLikelyStored: boolean): Promise<void> {
  const hosts = tx.collection(hostCollection);
  if (!isLikelyStored && !(await hosts.get(record.id))) return hosts.insert(record);
  try {
    await hosts.update(record.id, () => record);
  } catch (error) {
    // The server's data were deleted since its last minute.
    if (!(error instanceof NotFoundError)) throw error;
    await hosts.insert(record);
  }
}
