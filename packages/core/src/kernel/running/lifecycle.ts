import { nextTurn } from "../../lib/turns/gather-more.ts";
import { runAll } from "../../lib/turns/run-all.ts";
import type { Clock } from "../../ports/clock.ts";
import type { WorkItem } from "../../ports/storage/work.ts";
import type { Cradle } from "../container.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { createBreath } from "./breath.ts";
import { messageHandler, SYSTEM_WORKERS } from "./cluster.ts";
import { pause, type RunningLoops, startLoops } from "./loops.ts";

/** News of a start for the person who runs the engine. */
export interface StartReport {
  /** Plain key of the first administrator, present once: on the start that created it. */
  readonly administratorKey?: string;
  /** Password of the user `admin`, present once likewise. */
  readonly administratorPassword?: string;
  /** Mistakes in the set-up, as sentences; absent when there are none. */
  readonly warnings?: readonly string[];
}

export interface Lifecycle {
  start(): Promise<StartReport>;
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** First hands over to the other nodes on the same storage, while callers are served still. Default false. */
  readonly drain?: boolean;
}

/** Drain time for queued work on stop. */
const GRACE_MS = 10_000;

type State = "new" | "started" | "stopped";

const NO_SECOND_START: Readonly<Record<Exclude<State, "new">, string>> = {
  started: "This engine was started before: call start() once, and share the engine.",
  stopped: "This engine was stopped: createSignalbox makes another one.",
};

export function createLifecycle(cradle: Cradle): Lifecycle {
  let state: State = "new";
  let loops: RunningLoops | undefined;
  let subscription: Disposable | undefined;
  /** Plugins whose start was asked for: after a start that failed the others have nothing to end. */
  const begun: Plugin[] = [];
  let stopped: Promise<void> | undefined;

  async function start(): Promise<StartReport> {
    if (state !== "new") throw new Error(NO_SECOND_START[state]);
    state = "started";
    try {
      return await begin();
    } catch (error) {
      // A host may run on without the engine, and must not keep the engine's connections, file claim and timers.
      stopped ??= shutDown();
      await stopped.catch((fault: unknown) => cradle.log.warn({ error: fault }, "A failed start was not undone whole"));
      throw error;
    }
  }

  async function begin(): Promise<StartReport> {
    const { clock, registry, storage, definitions, dispatcher, events } = cradle;
    // A host that serves already answers while the engine is made, tables are, and then the first records.
    await nextTurn();
    await storage.open(registry.collections);
    cradle.storageHealth.start();
    subscription = await meetOthers(cradle);
    await definitions.load(registry.collections);
    listen(cradle);
    events.on("signalbox.asked_to_drain", drainBecauseAsked);
    await inTurns(clock, registry.plugins, (plugin) => begun[begun.push(plugin) - 1]?.start?.(cradle));
    dispatcher.start(boundWorkers(cradle));
    loops = runLoops(cradle);
    events.emit("signalbox.started", {});
    return report(cradle);
  }

  const ofBegun = (what: "drain" | "stop"): Step[] => begun.toReversed().map((plugin) => () => plugin[what]?.(cradle));

  const shutDown = async (): Promise<void> => {
    const wasStarted = state === "started";
    state = "stopped";
    if (wasStarted) await end(cradle, loops, subscription, ofBegun("stop"));
  };

  function stop({ drain = false }: StopOptions = {}): Promise<void> {
    stopped ??= drain && state === "started" ? leave(cradle, loops, ofBegun("drain")).then(shutDown) : shutDown();
    return stopped;
  }
  const drainBecauseAsked = (): void => {
    stop({ drain: true }).catch((error: unknown) => cradle.log.error({ error }, "A drained node did not stop cleanly"));
  };
  return { start, stop };
}

/** Work on each in order, with turns of the loop in between for others. */
async function inTurns<T>(clock: Clock, items: readonly T[], work: (item: T) => Promise<void> | undefined) {
  const breathe = createBreath(clock, new AbortController().signal);
  for (const item of items) {
    await breathe();
    await work(item);
  }
}

type Step = () => Promise<void> | undefined;

type Ending = Pick<Cradle, "bus" | "dispatcher" | "events" | "log" | "nodes" | "storage" | "storageHealth">;

async function end(
  cradle: Ending,
  loops: RunningLoops | undefined,
  subscription: Disposable | undefined,
  stops: readonly Step[],
): Promise<void> {
  cradle.events.emit("signalbox.stopping", {});
  await runAll([
    ...stops,
    () => loops?.stop(),
    () => cradle.dispatcher.stop(GRACE_MS),
    () => (stops.length > 0 ? handOver(cradle) : undefined),
    () => subscription?.[Symbol.dispose](),
    () => cradle.events.all.clear(),
    () => cradle.storageHealth.stop(),
    () => cradle.storage.close(),
  ]);
}

type Leaving = Pick<Cradle, "clock" | "config" | "events" | "log" | "nodes">;

/**
 * Gives running work to the other nodes, where there are any. Never rejects: the stop that follows ends the work that
 * is left.
 */
async function leave(
  { clock, config, events, log, nodes }: Leaving,
  loops: RunningLoops | undefined,
  drains: readonly Step[],
): Promise<void> {
  if (!nodes.hasPeers()) return;
  events.emit("signalbox.draining", {});
  try {
    await runAll([
      () => nodes.setState("draining"),
      () => loops?.resign(),
      () => pause(clock, config.cluster.drain_delay_sec * 1000, new AbortController().signal),
      ...drains,
    ]);
  } catch (error) {
    log.warn({ error }, "Not all could be handed over to other nodes");
  }
}

type Telling = Pick<Cradle, "blobs" | "bootstrap" | "log" | "warnings">;

async function report({ blobs, bootstrap, log, warnings }: Telling): Promise<StartReport> {
  const fault = await blobs.fault?.();
  if (fault !== undefined) warnings.push(fault);
  for (const warning of warnings) log.warn({}, warning);
  return { ...bootstrap.report(), ...(warnings.length > 0 ? { warnings } : {}) };
}

/** Frees the queued work of this node for the others, without waiting for leases to end; then leaves the cluster. */
async function handOver({
  bus,
  nodes,
  storage,
  log,
}: Pick<Cradle, "bus" | "log" | "nodes" | "storage">): Promise<void> {
  try {
    await storage.work.free(storage.coordination.nodeId);
  } catch (error) {
    log.warn({ error }, "Queued work of this node could not be handed over");
  }
  bus.end();
  await nodes.end();
}

type Cluster = Pick<Cradle, "bus" | "definitions" | "events" | "log" | "nodes" | "registry" | "storage">;

/** Joins the cluster: from here on the other nodes know of this one, and it hears of their changes. */
const meetOthers = async (deps: Cluster): Promise<Disposable> => {
  const { bus, storage, definitions, nodes, registry, log } = deps;
  // A store of our own: a process that claimed work there has ended.
  if (!storage.coordination.shared) await storage.work.free();
  await nodes.begin();
  await bus.begin();
  return storage.coordination.subscribe(messageHandler(deps), () => {
    definitions
      .load(registry.collections)
      .catch((error: unknown) => log.error({ error }, "Definitions could not be read"));
  });
};

function boundWorkers(cradle: Cradle) {
  const workers = [...cradle.registry.workers, ...Object.entries(SYSTEM_WORKERS)];
  return new Map(
    workers.map(([kind, work]) => [kind, (item: WorkItem, signal: AbortSignal) => work(item, cradle, signal)]),
  );
}

function runLoops(cradle: Cradle): RunningLoops {
  const { clock, events, log, registry, storage } = cradle;
  const loops = registry.loops.map((loop) => ({
    ...loop,
    run: (now: number, signal: AbortSignal) => loop.run(now, cradle, signal),
  }));
  const leads = (): void => events.emit("node.leads", {});
  return startLoops(loops, { clock, leads, log, coordination: storage.coordination });
}

function listen(cradle: Cradle): void {
  for (const plugin of cradle.registry.plugins)
    for (const [type, listener] of Object.entries(plugin.on ?? {}))
      cradle.events.on(type as "signalbox.started", (payload) =>
        (listener as (payload: object, cradle: Cradle) => unknown)(payload, cradle),
      );
}
