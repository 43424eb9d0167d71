import { VERSION } from "../../lib/process/version.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Logger, warnOnceAMinute } from "../../ports/logger.ts";
import type { NodeRow, NodeState } from "../../ports/nodes/nodes.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import type { Config } from "../config/config.ts";
import { type KnownNode, knownNodes, NOTHING_SEEN, observe, startsOfHeard } from "./observation.ts";

/** Version of the messages between nodes. */
const PROTOCOL = 1;
/** Fraction of the silence bound after which a node without a successful beat stops all work that only one node may do. */
const FENCE_OF_SILENCE = 2 / 3;

/** The nodes on one storage, tracked by heartbeats ("beats"). */
export interface Nodes {
  /** Live nodes: this one first, then the others in the order of their start. */
  live(): readonly KnownNode[];
  /** Whether another node is alive; nearly free, whereas `live` counts this node's satellites and jobs. */
  hasPeers(): boolean;
  /** Name of this node's machine, for people to read. */
  readonly host: string;
  /** A live node. */
  find(id: string): KnownNode | undefined;
  /** Nodes without a beat for `cluster.silent_sec`. */
  silent(): readonly KnownNode[];
  /** False when this node's last beat is so old that others may consider it dead. */
  isHeard(): boolean;
  /** Unix seconds since when nodes that this one has seen alive have been running. Undefined when it has seen none. */
  servedSince(): number | undefined;
  /** Unix milliseconds of the clock that all nodes share. */
  nowMs(): number;
  /** Resolves when other nodes can read it. */
  setState(state: NodeState): Promise<void>;
  /** Registers the source of a number that every beat reports. */
  count(what: "satellites" | "jobs", count: () => number): void;
  /** Called after each beat; `wasKnown` = false when others had considered this node dead. */
  onBeat(listener: (beat: { readonly wasKnown: boolean }) => void): Disposable;
  /** Removes the row of a dead node. */
  forget(id: string): Promise<void>;
  begin(): Promise<void>;
  /** Ends this node: the others learn of it with their next beat. */
  end(): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly config: Config;
  readonly log: Logger;
  readonly storage: Pick<Storage, "coordination">;
}
type BeatListener = Parameters<Nodes["onBeat"]>[0];

export function createNodes(deps: Deps): Nodes {
  const { config, storage, log } = deps;
  const { coordination } = storage;
  const own = createOwnRow(deps);
  const hearing = createHearing(deps, own.row);
  const { beat, isHeard, nowMs, onBeat, others, servedSince, silentMs } = hearing;
  const peers = (): KnownNode[] => others().filter((node) => node.beatAgeMs < silentMs);
  const live = (): KnownNode[] => [
    { ...own.row(), beatAgeMs: hearing.beatAgeMs() },
    ...peers().sort((one, two) => one.started - two.started || (one.id < two.id ? -1 : 1)),
  ];
  const beating = createBeating(deps, { everyMs: config.cluster.beat_sec * 1000, beat, late: own.late });
  return {
    host: own.host,
    isHeard,
    live,
    nowMs,
    onBeat,
    servedSince,
    count: own.count,
    begin: beating.begin,
    forget: hearing.forget,
    hasPeers: () => peers().length > 0,
    find: (id) => live().find((node) => node.id === id),
    // A node that is not heard itself cannot tell who is silent.
    silent: () => (isHeard() ? others().filter((node) => node.beatAgeMs >= silentMs) : []),
    async setState(state) {
      own.setState(state);
      if (coordination.shared) await beat();
    },
    async end() {
      if (!(await beating.end())) return;
      await coordination
        .forgetNode(coordination.nodeId)
        .catch((error: unknown) => log.warn({ error }, "The end of this node was not told to the others"));
    },
  };
}

/** Keeps the results of this node's own beats: the rows of the others, and the shared time. */
function createHearing({ clock, config, storage }: Deps, ownRow: () => NodeRow) {
  const { coordination } = storage;
  const silentMs = config.cluster.silent_sec * 1000;
  const fenceMs = silentMs * FENCE_OF_SILENCE;
  const listeners = new Set<BeatListener>();
  let seen = NOTHING_SEEN;
  let aheadMs = 0;
  let servedSince: number | undefined;
  const beatAgeMs = (): number => (seen.goodMs === undefined ? 0 : clock.monotonicMs() - seen.goodMs);
  return {
    silentMs,
    beatAgeMs,
    others: () => knownNodes(seen, clock.monotonicMs()),
    servedSince: () => servedSince,
    isHeard: () => !coordination.shared || (seen.goodMs !== undefined && beatAgeMs() <= fenceMs),
    nowMs: () => (coordination.shared ? clock.monotonicMs() + aheadMs : clock.now() * 1000),
    async beat(): Promise<void> {
      const beats = await coordination.beat(ownRow());
      const nowMs = clock.monotonicMs();
      const wasKnown = beats.wasKnown || seen.goodMs === undefined;
      for (const started of startsOfHeard(seen, beats)) servedSince = Math.min(servedSince ?? started, started);
      seen = observe(seen, beats, { nowMs, fenceMs });
      aheadMs = beats.nowMs - nowMs;
      for (const listener of listeners) listener({ wasKnown });
    },
    async forget(id: string): Promise<void> {
      await coordination.forgetNode(id);
      const { seen: others, goodMs } = seen;
      seen = { goodMs, seen: new Map([...others].filter(([other]) => other !== id)) };
    },
    onBeat(listener: BeatListener): Disposable {
      // A wrapper, so that one function added twice is two listeners.
      const added: BeatListener = (said) => listener(said);
      listeners.add(added);
      return { [Symbol.dispose]: () => void listeners.delete(added) };
    },
  };
}

function createOwnRow({ clock, config, storage }: Deps) {
  const { machine, nodeId: id } = storage.coordination;
  const host = config.cluster.host ?? machine?.host ?? URL.parse(config.base_app_url)?.hostname ?? "localhost";
  const started = clock.now();
  const counts = { satellites: () => 0, jobs: () => 0 };
  let state: NodeState = "up";
  let lagMs = 0;
  return {
    host,
    row: (): NodeRow => ({
      id,
      host,
      version: VERSION,
      protocol: PROTOCOL,
      started,
      state,
      lagMs,
      satellites: counts.satellites(),
      jobs: counts.jobs(),
      load: machine?.load() ?? 0,
    }),
    setState(next: NodeState): void {
      state = next;
    },
    late(ms: number): void {
      lagMs = ms;
    },
    count(what: keyof typeof counts, count: () => number): void {
      counts[what] = count;
    },
  };
}

interface Beating {
  begin(): Promise<void>;
  /** False when it had not started. Once it resolves, no beat is in progress. */
  end(): Promise<boolean>;
}

interface Pulse {
  readonly everyMs: number;
  readonly beat: () => Promise<void>;
  readonly late: (ms: number) => void;
}

/** Sends one beat after another; a node alone on its storage sends none. */
function createBeating({ clock, log, storage }: Deps, { everyMs, beat, late }: Pulse): Beating {
  const { warn } = warnOnceAMinute(log, clock);
  let timer: Disposable | undefined;
  let beating: Promise<void> = Promise.resolve();
  const schedule = (): void => {
    const dueMs = clock.monotonicMs() + everyMs;
    timer = clock.after(everyMs, () => {
      late(Math.max(0, Math.round(clock.monotonicMs() - dueMs)));
      beating = beat()
        .catch((error: unknown) => warn({ error }, "The others could not be told that this node lives"))
        .finally(() => timer && schedule());
    });
  };
  return {
    async begin() {
      if (!storage.coordination.shared) return;
      await beat();
      schedule();
    },
    async end() {
      if (!timer) return false;
      timer[Symbol.dispose]();
      timer = undefined;
      await beating;
      return true;
    },
  };
}
