import type { Cradle } from "../../kernel/container.ts";
import { faultOf } from "../../lib/message-of.ts";
import { DATA_TYPES, type QuickSample } from "./model.ts";
import type { HostReadings } from "./rules/minutes/host-readings.ts";
import { appendSample, type CompiledQuick, quickSample } from "./rules/readings/quick.ts";
import { type CompiledMonitors, createCompiledMonitors } from "./services/compiled.ts";
import { createHostReadings } from "./services/minutes/host-readings.ts";
import { createHostRecords } from "./services/minutes/host-records.ts";
import { createMinuteQueue } from "./services/minutes/minute-queue.ts";
import { createMinuteRing, type MinuteRing } from "./services/minutes/minute-ring.ts";
import { createRunMinutes } from "./services/minutes/minute-slice.ts";
import { createQuickEverywhere, type QuickEverywhere } from "./services/quick-elsewhere.ts";
import { type OwnSeries, ownSeries } from "./services/timeline/own-series.ts";

/** Evaluates the reports of connected servers, and checks definitions before they are saved. */
export interface MonitorService {
  /** `isLocal` = the server's agent runs in this process. */
  joined(server: string, how: { readonly isLocal: boolean }): void;
  gone(server: string): void;
  /**
   * Takes a minute message. Per server one is processed and one waits; a third replaces the waiting one. `text` is the
   * JSON text of its member `data` in UTF-8, if available.
   */
  minute(server: string, message: unknown, text?: Uint8Array): void;
  /** Takes a message with quick samples of one second. */
  quick(server: string, data: unknown): void;
  /** Takes readings that the host reports about itself; see `Signalbox.report`. */
  report(readings: HostReadings): void;
  /** The full minutes of the last days. */
  readonly ring: MinuteRing;
  /** Quick samples of servers on any node. */
  readonly quickEverywhere: QuickEverywhere;
  /** Quick samples of a server that is connected to this node, oldest first. */
  samples(server: string): readonly QuickSample[];
  /** Series of numbers that belong to other domains. */
  readonly series: OwnSeries;
  /** Quick monitors, in the order of the current configuration. */
  quickDefinitions(): readonly CompiledQuick["definition"][];
  /** Compiles a monitor for `test_monitor`. */
  readonly trial: CompiledMonitors["trial"];
  isDataType(name: string): boolean;
  /** Why a source cannot be saved; undefined = it can. */
  sourceFault(source: string): string | undefined;
  /** Why a pattern cannot be saved; undefined = it can. */
  patternFault(pattern: string): string | undefined;
  /** Number of malformed minute messages since the start. */
  dropped(): number;
  /** Waits for the minute of one server that is being stored. */
  settled(server: string): Promise<void>;
  /** Waits for minutes that are being processed. */
  idle(): Promise<void>;
  /** Waits for minutes that are being processed, and stores the records that are only in memory. */
  stop(): Promise<void>;
}

const NO_SAMPLES: readonly QuickSample[] = [];

type Deps = Pick<
  Cradle,
  | ("activity" | "alerts" | "blobs" | "bus" | "clock" | "config" | "definitions" | "expressions" | "ids")
  | ("log" | "nodes" | "registry")
  | ("servers" | "snapshot" | "transact")
>;

export function createMonitors(deps: Deps): MonitorService {
  const compiled = createCompiledMonitors(deps);
  const hostReadings = createHostReadings();
  const hostRecords = createHostRecords(deps);
  const ring = createMinuteRing(deps);
  const queue = createMinuteQueue(deps, createRunMinutes(deps, compiled, { hostReadings, hostRecords, ring }));

  const quick = createQuick(deps, compiled, hostReadings.added);
  return {
    joined(server, { isLocal }) {
      hostReadings.joined(server, isLocal);
      queue.joined(server);
      quick.joined(server);
    },
    gone(server) {
      queue.gone(server);
      hostReadings.gone(server);
      hostRecords.gone(server);
      quick.gone(server);
    },
    minute: queue.push,
    report: hostReadings.report,
    quick: quick.take,
    ...{ ring, samples: quick.samples, quickEverywhere: quick.everywhere, series: ownSeries },
    quickDefinitions: () => compiled.quick().map(({ definition }) => definition),
    trial: compiled.trial,
    ...createChecks(deps),
    ...{ dropped: queue.dropped, settled: queue.settled },
    async idle() {
      await queue.idle();
      await hostRecords.idle();
    },
    async stop() {
      quick.everywhere.end();
      await queue.idle();
      hostRecords.flush();
      await Promise.all([hostRecords.idle(), ring.flush()]);
    },
  };
}

type Added = ReturnType<typeof createHostReadings>["added"];

/** The samples of the last seconds of connected servers. */
function createQuick(deps: Deps, { quick: monitors }: Pick<CompiledMonitors, "quick">, added: Added) {
  const { clock, config } = deps;
  const kept = new Map<string, readonly QuickSample[]>();
  const samples = (server: string): readonly QuickSample[] => kept.get(server) ?? NO_SAMPLES;
  const everywhere = createQuickEverywhere(deps, samples);
  return {
    ...{ samples, everywhere },
    joined: (server: string) => void kept.set(server, NO_SAMPLES),
    gone: (server: string) => void kept.delete(server),
    take(server: string, data: unknown): void {
      const earlier = kept.get(server);
      if (!earlier || typeof data !== "object" || data === null) return;
      const read = everywhere.keep(server, added(server, data as Record<string, unknown>));
      const sample = quickSample(monitors(), read, Math.floor(clock.now()));
      kept.set(server, appendSample(earlier, sample, config.quick_max) ?? earlier);
    },
  };
}

type Checks = Pick<MonitorService, "isDataType" | "patternFault" | "sourceFault">;

const createChecks = ({ expressions, registry }: Deps): Checks => ({
  isDataType: (name) => (DATA_TYPES as readonly string[]).includes(name) || registry.dataTypes.has(name),
  sourceFault: (source) => faultOf(() => expressions.compile(source)),
  patternFault: (pattern) => faultOf(() => expressions.regexes.check(pattern)),
});
