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

/** Values of a server's last minute, cached so that the next one need not read them back. */
export interface MinuteMemory extends SavedHost {
  readonly previous: PreviousMinute | undefined;
  readonly head: SeriesHead;
}

/** A server's message that is being processed. */
export interface Minute {
  readonly server: Server;
  readonly message: MinuteMessage;
  /** JSON text of the message's data in UTF-8, if available. */
  readonly text: Uint8Array | undefined;
  readonly memory: MinuteMemory;
}

/** An evaluated minute that waits for its transaction. */
export interface ReadMinute {
  readonly server: Server;
  /**
   * The record without the alerts that it may fire. If there is a `text`, it has only the members that are read later.
   */
  readonly record: HostRecord;
  /** JSON text in UTF-8 as the agent sent it, if nothing in it was changed. */
  readonly text: Uint8Array | undefined;
  readonly memory: MinuteMemory;
  /** Absent when monitoring is disabled on the agent: then only the record is stored. */
  readonly sampled?: Sampled;
  /** True when a newer minute is stored, as after the clock was set back: then it only counts for alerts. */
  readonly isLate?: boolean;
}

export interface Sampled extends Pick<MinuteReadings, "monitors" | "deltas"> {
  readonly alerts: ReturnType<Cradle["alerts"]["evaluation"]["read"]>;
}

/**
 * Evaluates one minute of one server (docs/contract/monitors.md#a-minute); stores nothing. Undefined = the minute is
 * rejected.
 */
export type EvaluateMinute = (minute: Minute) => ReadMinute | undefined;

/** Milliseconds for all expressions of one minute of one server (docs/contract/expressions.md#limits). */
const BUDGET_MS = 2000;

type Deps = Pick<Cradle, "alerts" | "clock" | "log">;

/** Reads the alert service from the cradle only when it is needed, as that depends on this domain in turn. */
export function createEvaluateMinute(
  deps: Deps,
  compiled: CompiledMonitors,
  hostReadings: Pick<HostReadingStore, "added">,
): EvaluateMinute {
  const { clock, log } = deps;
  const noteLate = (server: string): void => log.error({ server }, "Timeline out of order");
  return ({ server, message, text: sent, memory }) => {
    const { head, previous } = memory;
    const data = hostReadings.added(server.id, acceptedData(message.data));
    const input: RecordInput = { server, message, data, date: Math.floor(clock.now()) };
    const text = data === message.data ? sent : undefined;
    const kept: RecordInput = text === undefined ? input : { ...input, data: keptOf(data) };
    if (message.data["dummy"]) return { server, record: hostRecord(kept), text, memory };
    // Checked before anything is evaluated: a minute that is already stored, or older than the newest one, has no
    // effect.
    const refusal = timelineWriter.refusal(head, input.date);
    if (refusal === "duplicate") return undefined;
    const isLate = refusal === "late";
    if (isLate) noteLate(server.id);
    const isOver = createBudget(deps, server.id);
    const { date } = input;
    const { groups } = server;
    const readings = evaluateMonitors(compiled.all(), { data, date, groups, previous, isOver });
    if (isFirstLate(isLate, previous, date))
      return { server, record: hostRecord(kept, readings), text, memory, isLate };
    const alerts = deps.alerts.evaluation.read({ server, date, groups, context: readings.context, isOver });
    const { monitors, deltas } = readings;
    const sampled = { monitors, deltas, alerts };
    return { server, record: hostRecord(kept, readings), text, memory, sampled, isLate };
  };
}

/** True for the first minute after the clock was set back: its deltas would cover a second, not a minute. */
const isFirstLate = (isLate: boolean, previous: PreviousMinute | undefined, date: number): boolean =>
  isLate && (previous?.date ?? date) > date;

/**
 * Drops most of the parsed data: the text has all of it, and many parsed samples at once burden the garbage collector.
 */
function keptOf(data: RecordInput["data"]): RecordInput["data"] {
  return Object.fromEntries(REFRESHED.flatMap((part) => (part in data ? [[part, data[part]]] : [])));
}

/** Returns a function that becomes true, and logs so once, when the expressions of this minute have taken too long. */
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
