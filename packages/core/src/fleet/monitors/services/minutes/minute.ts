import type { Cradle } from "../../../../kernel/container.ts";
import type { HostRecord, Server } from "../../../servers/model.ts";
import { REFRESHED } from "../../../servers/rules/joining/connect.ts";
import type { SeriesHead } from "../../model.ts";
import { acceptedData, hostRecord, type MinuteMessage, type RecordInput } from "../../rules/minutes/host-record.ts";
import type { SavedHost } from "../../rules/minutes/host-saving.ts";
import { evaluateMonitors, type MinuteReadings, type PreviousMinute } from "../../rules/readings/evaluate.ts";
import type { CompiledMonitors } from "../compiled.ts";
import { timelineWriter } from "../timeline/timeline-writer.ts";
import type { HostReadingStore } from "./host-readings.ts";

/** The part of a server's last minute that is kept, so that the next one need not read it back. */
export interface MinuteMemory extends SavedHost {
  readonly previous: PreviousMinute | undefined;
  readonly head: SeriesHead;
}

/** A message of a server that is in work. */
export interface Minute {
  readonly server: Server;
  readonly message: MinuteMessage;
  /** JSON text of the message's data in UTF-8, where it is at hand. */
  readonly text: Uint8Array | undefined;
  readonly memory: MinuteMemory;
}

/** A minute that was evaluated and waits for its transaction. */
export interface ReadMinute {
  readonly server: Server;
  /** Record without the alerts that it may fire; where there is a text, with only the members that are read later. */
  readonly record: HostRecord;
  /** JSON text that the agent sent in UTF-8, when nothing was changed in it. */
  readonly text: Uint8Array | undefined;
  readonly memory: MinuteMemory;
  /** Absent when the agent's monitoring is switched off: then only the record is stored. */
  readonly sampled?: Sampled;
}

export interface Sampled extends Pick<MinuteReadings, "monitors" | "deltas"> {
  readonly alerts: ReturnType<Cradle["alerts"]["evaluation"]["read"]>;
}

/**
 * Evaluates one minute of one server (docs/contract/monitors.md#a-minute); stores nothing. Undefined = it is refused.
 */
export type EvaluateMinute = (minute: Minute) => ReadMinute | undefined;

/** Milliseconds for all expressions of one minute of one server (docs/contract/expressions.md#limits). */
const BUDGET_MS = 2000;

type Deps = Pick<Cradle, "alerts" | "clock" | "log">;

/** The alert service is read from the cradle when it is needed: it depends on this one in turn. */
export function createEvaluateMinute(
  deps: Deps,
  compiled: CompiledMonitors,
  hostReadings: Pick<HostReadingStore, "added">,
): EvaluateMinute {
  const { clock, log } = deps;
  return ({ server, message, text: sent, memory }) => {
    const { head, previous } = memory;
    const data = hostReadings.added(server.id, acceptedData(message.data));
    const input: RecordInput = { server, message, data, date: Math.floor(clock.now()) };
    const text = data === message.data ? sent : undefined;
    const kept: RecordInput = text === undefined ? input : { ...input, data: keptOf(data) };
    if (message.data["dummy"]) return { server, record: hostRecord(kept), text, memory };
    // Before anything is evaluated: a minute that is stored already, or is older than the newest one, has no effect at
    // all.
    const refusal = timelineWriter.refusal(head, input.date);
    if (refusal === "late") log.error({ server: server.id }, "Timeline out of order");
    if (refusal) return undefined;
    const isOver = createBudget(deps, server.id);
    const { date } = input;
    const { groups } = server;
    const readings = evaluateMonitors(compiled.all(), { data, date, groups, previous, isOver });
    const alerts = deps.alerts.evaluation.read({ server, date, groups, context: readings.context, isOver });
    const { monitors, deltas } = readings;
    return { server, record: hostRecord(kept, readings), text, memory, sampled: { monitors, deltas, alerts } };
  };
}

/** The text has all of it, and many parsed samples at once are hard work for the collector of garbage. */
function keptOf(data: RecordInput["data"]): RecordInput["data"] {
  return Object.fromEntries(REFRESHED.flatMap((part) => (part in data ? [[part, data[part]]] : [])));
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

export function previousOf(record: HostRecord | undefined): PreviousMinute | undefined {
  const monitors = record?.data["monitors"];
  if (!record || typeof monitors !== "object" || monitors === null) return undefined;
  return { date: record.date, monitors: monitors as Record<string, unknown> };
}
