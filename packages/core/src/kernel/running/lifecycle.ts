import { nextTurn } from "../../lib/turns/gather-more.ts";
import { runAll } from "../../lib/turns/run-all.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Cradle } from "../container.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { createBreath } from "./breath.ts";
import { catchUp, messageHandler, readAgain } from "./cluster.ts";
import { settleWithin } from "./dispatcher.ts";
import { pause, type RunningLoops, startLoops } from "./loops.ts";

/** What a start has to tell the person who runs the engine. */
export interface StartReport {
  /** Plain key of the first administrator, present only on the start that created it. */
  readonly administratorKey?: string;
  /** Password of the user `admin`, also present only on that start. */
  readonly administratorPassword?: string;
  /** Mistakes in the set-up, as sentences; absent when there are none. */
  readonly warnings?: readonly string[];
}

export interface Lifecycle {
  start(): Promise<StartReport>;
  open(): Promise<void>;
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** First hands work over to the other nodes on the same storage, while callers are still served. Default false. */
  readonly drain?: boolean;
}

/** Drain time for queued work on stop. */
const GRACE_MS = 10_000;

type State = "new" | "starting" | "started" | "stopped";

const STARTED_BEFORE = "This engine was started before: call start() once, and share the engine.";
const NO_SECOND_START: Readonly<Record<Exclude<State, "new">, string>> = {
  starting: STARTED_BEFORE,
  started: STARTED_BEFORE,
  stopped: "This engine was stopped: createSignalbox makes another one.",
};

type Deps = Cluster & Ending & Leaving & Looping & Telling;

export function createLifecycle(deps: Deps): Lifecycle {
  const begun: Begun = { plugins: [], isKnown: false, ending: new AbortController() };
  let state: State = "new";
  let beginning: Promise<unknown> | undefined;
  let stopped: Promise<void> | undefined;

  async function startWith<T>(work: () => Promise<T>): Promise<T> {
    if (state !== "new") throw new Error(NO_SECOND_START[state]);
    state = "starting";
    try {
      const begins = work();
      beginning = begins;
      const result = await begins;
      if (state === "starting") state = "started";
      return result;
    } catch (error) {
      // A host may continue without the engine, and must not keep the engine's connections, file claim and timers.
      stopped ??= shutDown();
      await stopped.catch((fault: unknown) => deps.log.warn({ error: fault }, "A failed start was not undone whole"));
      throw error;
    }
  }

  const shutDown = async (): Promise<void> => {
    state = "stopped";
    begun.ending.abort(new Error("This engine was stopped while it started"));
    if (!beginning) return;
    // Waits for the start, because parts that start after their stop would keep running. A start that hangs, for example on a
    // database that does not answer, is abandoned.
    await settleWithin(deps.clock, GRACE_MS, [beginning]);
    await end(deps, begun);
  };

  function stop({ drain = false }: StopOptions = {}): Promise<void> {
    stopped ??= drain && state === "started" ? leave(deps, begun).then(shutDown) : shutDown();
    return stopped;
  }
  const drainBecauseAsked = (): void => {
    stop({ drain: true }).catch((error: unknown) => deps.log.error({ error }, "A drained node did not stop cleanly"));
  };
  return {
    start: () => startWith(() => begin(deps, begun, drainBecauseAsked)),
    open: () => startWith(() => beginForCalls(deps, begun)),
    stop,
  };
}

/** Parts that a start has brought up; a stop ends exactly these. */
interface Begun {
  /** Plugins whose start was called. */
  readonly plugins: Plugin[];
  /** Whether other nodes may know of this one. */
  isKnown: boolean;
  /** Aborts when the start must not begin anything more. */
  readonly ending: AbortController;
  subscription?: Disposable;
  loops?: RunningLoops;
}

async function begin(deps: Deps, begun: Begun, drain: () => void): Promise<StartReport> {
  const { registry, definitions, dispatcher, events, handlers } = deps;
  await openStores(deps, begun);
  begun.isKnown = true;
  begun.subscription = await meetOthers(deps);
  await definitions.load(registry.collections);
  handlers.listen();
  events.on("signalbox.asked_to_drain", drain);
  await startPlugins(deps, begun, registry.plugins);
  begun.ending.signal.throwIfAborted();
  dispatcher.start(handlers.workers);
  begun.loops = runLoops(deps);
  events.emit("signalbox.started", {});
  return report(deps);
}

/** Answers calls from now on, without announcing this node to others; nothing runs by itself. */
async function beginForCalls(deps: Deps, begun: Begun): Promise<void> {
  const { definitions, registry } = deps;
  await openStores(deps, begun);
  await definitions.load(registry.collections);
  await startPlugins(
    deps,
    begun,
    registry.plugins.filter(({ startsForCalls }) => startsForCalls),
  );
}

async function openStores({ registry, storage, storageHealth }: Deps, { ending: { signal } }: Begun): Promise<void> {
  // A host that already serves requests can answer between the creation of the engine, of tables, and of the first records.
  await nextTurn();
  signal.throwIfAborted();
  await storage.open(registry.collections);
  signal.throwIfAborted();
  storageHealth.start();
}

const startPlugins = ({ clock, handlers }: Deps, { ending, plugins: begun }: Begun, plugins: readonly Plugin[]) =>
  inTurns(clock, plugins, (plugin) => {
    ending.signal.throwIfAborted();
    begun.push(plugin);
    return handlers.pass(plugin, "start");
  });

/** Runs work on each item in order, yielding to the event loop in between. */
async function inTurns<T>(clock: Clock, items: readonly T[], work: (item: T) => Promise<void> | undefined) {
  const breathe = createBreath(clock);
  for (const item of items) {
    await breathe();
    await work(item);
  }
}

type Ending = Pick<
  Cradle,
  "bus" | "clock" | "dispatcher" | "events" | "handlers" | "log" | "nodes" | "registry" | "storage" | "storageHealth"
>;

async function end(deps: Ending, { plugins, isKnown, loops, subscription }: Begun): Promise<void> {
  const { dispatcher, events, handlers, registry, storage, storageHealth } = deps;
  events.emit("signalbox.stopping", {});
  await runAll([
    ...plugins.toReversed().map((plugin) => () => handlers.pass(plugin, "stop")),
    () => loops?.stop(),
    () => dispatcher.stop(GRACE_MS),
    ...registry.plugins.toReversed().map((plugin) => () => handlers.pass(plugin, "close")),
    () => (isKnown ? handOver(deps) : undefined),
    () => subscription?.[Symbol.dispose](),
    () => events.all.clear(),
    () => storageHealth.stop(),
    () => storage.close(),
  ]);
}

type Leaving = Pick<Cradle, "clock" | "config" | "events" | "handlers" | "log" | "nodes">;

/** Hands running work to the other nodes, if there are any. Never rejects: the stop that follows ends the remaining work. */
async function leave(
  { clock, config, events, handlers, log, nodes }: Leaving,
  { plugins, loops }: Begun,
): Promise<void> {
  if (!nodes.hasPeers()) return;
  events.emit("signalbox.draining", {});
  try {
    await runAll([
      () => nodes.setState("draining"),
      () => loops?.resign(),
      () => pause(clock, config.cluster.drain_delay_sec * 1000),
      ...plugins.toReversed().map((plugin) => () => handlers.pass(plugin, "drain")),
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

/** Releases this node's queued work to the others without waiting for leases to expire, then leaves the cluster. */
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

/** Joins the cluster: from now on the other nodes know of this one, and it gets their changes. */
const meetOthers = async (deps: Cluster): Promise<Disposable> => {
  const { bus, storage, nodes } = deps;
  // The store is ours alone, so any process that claimed work there has ended.
  if (!storage.coordination.shared) await storage.work.free();
  await nodes.begin();
  await bus.begin();
  const beats = nodes.onBeat(() => void catchUp(deps));
  const news = await storage.coordination.subscribe(messageHandler(deps), () => void readAgain(deps));
  return {
    [Symbol.dispose]() {
      beats[Symbol.dispose]();
      news[Symbol.dispose]();
    },
  };
};

type Looping = Pick<Cradle, "clock" | "events" | "handlers" | "log" | "storage">;

function runLoops({ clock, events, handlers, log, storage }: Looping): RunningLoops {
  const leads = (): void => events.emit("node.leads", {});
  return startLoops(handlers.loops, { clock, leads, log, coordination: storage.coordination });
}
