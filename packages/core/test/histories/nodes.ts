import { createSignalbox } from "../../src/engine/signalbox.ts";
import { messageOf } from "../../src/lib/message-of.ts";
import { type LogFields, type Logger, silentLogger } from "../../src/ports/logger.ts";
import type { Coordination, NodeMessage, Term } from "../../src/ports/nodes/coordination.ts";
import type { Mailer } from "../../src/ports/outside/mailer.ts";
import type { WebHookClient } from "../../src/ports/outside/web-hook-client.ts";
import type { Storage } from "../../src/ports/storage/storage.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { cradleProbe, quickKeys, quickPasswords } from "../engine.ts";

const SECRET_KEY = "EXAMPLE_CLUSTER_KEY";

interface Means {
  readonly clock: FakeClock;
  readonly storage: Storage;
  readonly mailer: Mailer;
  readonly webHooks: WebHookClient;
}

/** Nodes on one storage; the test decides which of them leads. */
export function createNodes(means: Means) {
  const hub = createHub(means.storage);
  const faults: string[] = [];
  const log = faultLogger(faults);
  let count = 0;
  return {
    /** Errors that nodes logged, except nodes that were cut off. */
    faults,
    appoint: hub.appoint,
    depose: hub.depose,
    async start() {
      const id = `node_${++count}`;
      const { storage, cut } = hub.join(id);
      const agent = scriptedAgent();
      const probe = cradleProbe();
      const signalbox = createSignalbox({
        ...{ ...means, storage, log, secretKey: SECRET_KEY, agents: agent },
        administratorKey: "administrator0123456789abc",
        plugins: [quickPasswords, quickKeys, probe.plugin],
        config: {
          ...{ tz: "UTC", alert_universal_actions: [], email_from: "signalbox@example.com" },
          notices: { max_per_hour: 0, settle_sec: 60, parent_wait: 65, presence_grace: 0 },
        },
      });
      await signalbox.start();
      return {
        ...{ id, agent, signalbox, cradle: probe.cradle },
        stop: () => signalbox.stop(),
        /** Cuts a node off: none of its writes reach the storage any more. */
        kill() {
          cut();
          signalbox.stop().catch(() => undefined);
        },
      };
    },
  };
}
export type Nodes = ReturnType<typeof createNodes>;
export type Node = Awaited<ReturnType<Nodes["start"]>>;

const GONE = "The storage is gone";

/** Refusals of services are part of the histories; failures of work and loops are not. */
function faultLogger(faults: string[]): Logger {
  const note = ({ error }: LogFields, message: string): void => {
    const said = messageOf(error);
    if (error !== undefined && said !== GONE) faults.push(`${message}: ${said}`);
  };
  return { ...silentLogger, warn: note, error: note };
}

type Hold = Parameters<Coordination["lead"]>[1];

type Lead = Pick<Coordination, "lead" | "leaderOf">;

/** The office of the leader, under the test's control: terms are not fenced, so two leaders really do act at the same time. */
function createOffice() {
  const holds = new Map<string, Hold>();
  const terms = new Map<string, AbortController>();
  const depose = (id: string): void => {
    terms.get(id)?.abort();
    terms.delete(id);
  };
  const leadOf = (nodeId: string): Lead => ({
    leaderOf: () => [...terms.keys()].at(-1),
    lead(_office, hold) {
      holds.set(nodeId, hold);
      return {
        [Symbol.dispose]() {
          depose(nodeId);
          holds.delete(nodeId);
        },
      };
    },
  });
  return {
    depose,
    leadOf,
    appoint(id: string): void {
      const lost = new AbortController();
      const term: Term = { lost: lost.signal, fenced: (work) => work() };
      terms.set(id, lost);
      void holds.get(id)?.(term);
    },
  };
}

/** Delivers messages between nodes. */
function createPost() {
  /** Several parts of a node subscribe. */
  const readers = new Set<{ readonly node: string; readonly read: (message: NodeMessage) => void }>();
  return {
    tell(from: string, message: NodeMessage): void {
      for (const { node, read } of readers) if (node !== from) read(structuredClone(message));
    },
    subscribe(node: string, read: (message: NodeMessage) => void): Disposable {
      const reader = { node, read };
      readers.add(reader);
      return { [Symbol.dispose]: () => void readers.delete(reader) };
    },
    forget(id: string): void {
      for (const reader of readers) if (reader.node === id) readers.delete(reader);
    },
  };
}

function createHub(storage: Storage) {
  const { appoint, depose, leadOf } = createOffice();
  const post = createPost();
  return {
    appoint,
    depose,
    join(id: string) {
      const tell = (message: NodeMessage): void => post.tell(id, message);
      const coordination: Coordination = {
        ...{ ...storage.coordination, ...leadOf(id), nodeId: id, shared: true },
        tell: async (message) => tell(message),
        subscribe: async (read) => post.subscribe(id, read),
      };
      const guard = guarded(storage, coordination, tell);
      const cut = (): void => {
        guard.cut();
        depose(id);
        post.forget(id);
      };
      return { storage: guard.storage, cut };
    },
  };
}

/** The storage as one node sees it, until the node is cut off. */
function guarded(storage: Storage, coordination: Coordination, publish: (message: NodeMessage) => void) {
  let isCut = false;
  const ask = <T>(run: () => Promise<T>): Promise<T> => (isCut ? Promise.reject(new Error(GONE)) : run());
  const { work } = storage;
  const seen: Storage = {
    ...storage,
    coordination: { ...coordination, beat: (row) => ask(() => coordination.beat(row)) },
    work: {
      ...work,
      claim: (options) => (isCut ? Promise.resolve([]) : work.claim(options)),
      renew: (items, until) => ask(() => work.renew(items, until)),
      complete: (items) => ask(() => work.complete(items)),
      release: (item, outcome) => ask(() => work.release(item, outcome)),
      rewind: (now, most) => ask(() => work.rewind(now, most)),
      free: (node) => ask(() => work.free(node)),
    },
    read: (run) => ask(() => storage.read(run)),
    write: (run) =>
      ask(() => storage.write((tx) => run({ ...tx, publish: (message) => tx.afterCommit(() => publish(message)) }))),
    close: async () => undefined,
  };
  return {
    storage: seen,
    cut: () => {
      isCut = true;
    },
  };
}
