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

/** Evaluation of connected servers' reports, and the checks that saving a definition needs. */
export interface MonitorService {
  /** `isLocal`: its agent runs in this process. */
  joined(server: string, how: { readonly isLocal: boolean }): void;
  gone(server: string): void;
  /**
   * A minute message; one is in work, one waits, a third replaces the second. `text` is the JSON text of its member
   * `data` in UTF-8, where that is at hand.
   */
  minute(server: string, message: unknown, text?: Uint8Array): void;
  /** A second's message. */
  quick(server: string, data: unknown): void;
  /** Takes readings that the host program reports about itself; see `Signalbox.report`. */
  report(readings: HostReadings): void;
  /** The full minutes of the last days. */
  readonly ring: MinuteRing;
  /** Quick samples of servers that are connected to any node. */
  readonly quickEverywhere: QuickEverywhere;
  /** Quick samples of a server that is connected here, oldest first. */
  samples(server: string): readonly QuickSample[];
  /** Series of numbers of other domains. */
  readonly series: OwnSeries;
  /** Quick monitors, in the order of the configuration in force. */
  quickDefinitions(): readonly CompiledQuick["definition"][];
  /** Compiles a monitor that `test_monitor` tries out. */
  readonly trial: CompiledMonitors["trial"];
  isDataType(name: string): boolean;
  /** The fault of a source that cannot be saved; else undefined. */
  sourceFault(source: string): string | undefined;
  /** The fault of a pattern that cannot be saved; else undefined. */
  patternFault(pattern: string): string | undefined;
  /** Minute messages that were no minute messages, since the start. */
  dropped(): number;
  /** Waits for minutes in work. */
  idle(): Promise<void>;
  /** Waits for minutes in work and stores the records that are only in memory. */
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
  const { clock, config } = deps;
  const compiled = createCompiledMonitors(deps);
  const hostReadings = createHostReadings();
  const hostRecords = createHostRecords(deps);
  const ring = createMinuteRing(deps);
  const queue = createMinuteQueue(deps, createRunMinutes(deps, compiled, { hostReadings, hostRecords, ring }));

  const quick = new Map<string, readonly QuickSample[]>();
  const samples = (server: string): readonly QuickSample[] => quick.get(server) ?? NO_SAMPLES;
  const quickEverywhere = createQuickEverywhere(deps, samples);
  return {
    joined(server, { isLocal }) {
      hostReadings.joined(server, isLocal);
      queue.joined(server);
      quick.set(server, NO_SAMPLES);
    },
    gone(server) {
      queue.gone(server);
      hostReadings.gone(server);
      hostRecords.gone(server);
      quick.delete(server);
    },
    minute: queue.push,
    report: hostReadings.report,
    quick(server, data) {
      const samples = quick.get(server);
      if (!samples || typeof data !== "object" || data === null) return;
      const read = quickEverywhere.keep(server, hostReadings.added(server, data as Record<string, unknown>));
      const sample = quickSample(compiled.quick(), read, Math.floor(clock.now()));
      quick.set(server, appendSample(samples, sample, config.quick_max) ?? samples);
    },
    ...{ ring, samples, quickEverywhere, series: ownSeries },
    quickDefinitions: () => compiled.quick().map(({ definition }) => definition),
    trial: compiled.trial,
    ...createChecks(deps),
    dropped: queue.dropped,
    async idle() {
      await queue.idle();
      await hostRecords.idle();
    },
    async stop() {
      quickEverywhere.end();
      await queue.idle();
      hostRecords.flush();
      await Promise.all([hostRecords.idle(), ring.flush()]);
    },
  };
}

type Checks = Pick<MonitorService, "isDataType" | "patternFault" | "sourceFault">;

const createChecks = ({ expressions, registry }: Deps): Checks => ({
  isDataType: (name) => (DATA_TYPES as readonly string[]).includes(name) || registry.dataTypes.has(name),
  sourceFault: (source) => faultOf(() => expressions.compile(source)),
  patternFault: (pattern) => faultOf(() => expressions.regexes.check(pattern)),
});
