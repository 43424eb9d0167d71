import { platform } from "node:os";
import type { Clock, Logger } from "@signalbox/core/adapter";
import type { HostMetrics } from "../host-metrics.ts";
import type { JobBoard } from "../job/job-board.ts";
import type { MonitorPlugins } from "../monitor-plugins.ts";
import type { AgentParts } from "./agent-session.ts";

export interface SamplerOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: AgentParts["settings"];
  readonly metrics: HostMetrics;
  readonly board: JobBoard;
  readonly plugins: MonitorPlugins;
  readonly post: (cmd: string, data: unknown) => void;
  readonly serverId: () => string;
}

/** Sends minute and second samples while the agent is joined. */
export interface Sampler {
  start(): void;
  stop(): void;
  /** Applies the switches `monitoring_enabled` and `quickmon_enabled`. */
  configure(config: Readonly<Record<string, unknown>>): void;
}

const FIRST_SAMPLE_MS = 1000;
/** Timers of Node.js fire up to a millisecond early. */
const EARLY_SEC = 0.005;

export function createSampler(options: SamplerOptions): Sampler {
  const { clock, settings } = options;
  let switches = { monitoring: true, quick: true };
  let running: { minute?: Disposable; quick?: Disposable; first?: Disposable } | undefined;
  const minute = guarded(options.log, (date: number) => sendMinute(options, date, switches.monitoring));
  const quick = guarded(options.log, async () => {
    if (switches.monitoring && switches.quick) await sendQuick(options);
  });

  // Samples are due at whole multiples of the period, like the engine's rounds, so that one wake-up of the process serves both. A
  // sample is dated at its mark even when the timer fires just before it, because it belongs to the period that begins.
  const schedule = (kind: "minute" | "quick", everySec: number, send: (date: number) => void): void => {
    if (!running) return;
    const mark = (Math.floor((clock.now() + EARLY_SEC) / everySec) + 1) * everySec;
    running[kind] = clock.after(Math.ceil((mark - clock.now()) * 1000), () => {
      send(Math.max(mark, clock.now()));
      schedule(kind, everySec, send);
    });
  };
  const stop = (): void => {
    for (const timer of Object.values(running ?? {})) timer?.[Symbol.dispose]();
    running = undefined;
  };
  return {
    stop,
    start() {
      stop();
      running = { first: clock.after(FIRST_SAMPLE_MS, () => minute(clock.now())) };
      schedule("minute", settings.minuteEverySec, minute);
      if (settings.quickEverySec > 0 && platform() !== "win32") schedule("quick", settings.quickEverySec, quick);
    },
    configure({ monitoring_enabled, quickmon_enabled }) {
      switches = {
        monitoring: monitoring_enabled === undefined ? switches.monitoring : Boolean(monitoring_enabled),
        quick: quickmon_enabled === undefined ? switches.quick : Boolean(quickmon_enabled),
      };
    },
  };
}

/** Skips a sample while the previous one is under way; logs one that fails. */
function guarded(log: Logger, send: (date: number) => Promise<void>): (date: number) => void {
  let busy = false;
  const run = async (date: number): Promise<void> => {
    busy = true;
    try {
      await send(date);
    } catch (error) {
      log.warn({ error }, "A sample of this machine failed");
    } finally {
      busy = false;
    }
  };
  return (date) => {
    if (!busy) void run(date).catch((error: unknown) => log.error({ error }, "A sample could not be sent"));
  };
}

async function sendMinute(options: SamplerOptions, date: number, isEnabled: boolean): Promise<void> {
  const { settings, metrics, board, plugins, post, serverId } = options;
  const head = { version: "1.0", date, server: serverId(), hostname: settings.hostname };
  if (!isEnabled) return post("monitor", { ...head, data: { dummy: true } });
  const sample = await metrics.minute();
  const commands = await plugins.runMinute();
  const data = { ...sample, jobs: board.count(), ...(commands ? { commands } : {}) };
  post("monitor", { ...head, data });
}

async function sendQuick({ metrics, plugins, post }: SamplerOptions): Promise<void> {
  const sample = await metrics.quick();
  if (sample) post("quickmon", { commands: await plugins.runQuick(), ...sample });
}
