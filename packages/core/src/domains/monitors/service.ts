import type { Cradle } from "../../kernel/container.ts";
import { DATA_TYPES, type QuickSample } from "./model.ts";
import { appendSample, type CompiledQuick, quickSample } from "./rules/quick.ts";
import { createCompiledMonitors } from "./services/compiled.ts";
import { createRunMinute } from "./services/minute.ts";
import { createMinuteQueue } from "./services/minute-queue.ts";

/** Evaluation of what connected servers report, and the checks that saving a definition needs. */
export interface MonitorService {
  joined(server: string): void;
  gone(server: string): void;
  /** A minute message; one is in work, one waits, a third replaces the second. */
  minute(server: string, message: unknown): void;
  /** A second's message. */
  quick(server: string, data: unknown): void;
  /** Quick samples of a connected server, oldest first. */
  samples(server: string): readonly QuickSample[];
  readonly quickDefinitions: readonly CompiledQuick["definition"][];
  isDataType(name: string): boolean;
  /** Why a source cannot be saved. */
  sourceFault(source: string): string | undefined;
  /** Why a pattern cannot be saved. */
  patternFault(pattern: string): string | undefined;
  /** Minute messages that were no minute messages, since the start. */
  dropped(): number;
  /** Waits for minutes in work. */
  idle(): Promise<void>;
}

const NO_SAMPLES: readonly QuickSample[] = [];

export function createMonitors(cradle: Cradle): MonitorService {
  const { clock, config, expressions, registry } = cradle;
  const compiled = createCompiledMonitors(cradle);
  const queue = createMinuteQueue(cradle, createRunMinute(cradle, compiled));
  const quick = new Map<string, readonly QuickSample[]>();
  return {
    joined(server) {
      queue.joined(server);
      quick.set(server, NO_SAMPLES);
    },
    gone(server) {
      queue.gone(server);
      quick.delete(server);
    },
    minute: queue.push,
    quick(server, data) {
      const samples = quick.get(server);
      if (!samples || typeof data !== "object" || data === null) return;
      const sample = quickSample(compiled.quick, data as Record<string, unknown>, Math.floor(clock.now()));
      quick.set(server, appendSample(samples, sample, config.quick_max) ?? samples);
    },
    samples: (server) => quick.get(server) ?? NO_SAMPLES,
    quickDefinitions: compiled.quick.map(({ definition }) => definition),
    isDataType: (name) => (DATA_TYPES as readonly string[]).includes(name) || registry.dataTypes.has(name),
    sourceFault: (source) => faultOf(() => expressions.compile(source)),
    patternFault: (pattern) => faultOf(() => expressions.regexes.check(pattern)),
    dropped: queue.dropped,
    idle: queue.idle,
  };
}

function faultOf(compile: () => unknown): string | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
