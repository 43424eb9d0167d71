import * as z from "zod";
import type { Cradle } from "../../kernel/container.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import type { KnownNode } from "../../kernel/nodes/observation.ts";
import { LEADER } from "../../kernel/running/loops.ts";
import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import { answers, PING_KIND } from "./answers.ts";
import type { NodeEntry } from "./model.ts";
import { drainOf, hasHeir } from "./rules/drain.ts";
import { entryOf } from "./rules/entries.ts";

/** The nodes of the installation, for callers and for the activity log. */
export interface RollCall {
  /** From here on the other nodes get answers, and rows of the activity log tell of this one. */
  begin(): Promise<void>;
  /** All nodes that live, this one first; each of the others is asked whether it answers. */
  take(): Promise<readonly NodeEntry[]>;
  /** A row for this node. Never rejects: the event that it records has happened already. */
  note(action: "master_primary"): Promise<void>;
  /** A row for another node that is dead. */
  buried(node: Pick<KnownNode, "host" | "id">): Promise<void>;
  /** The node drains after the commit, and a row says who asked. Throws (`node`) where it cannot. */
  askToDrain(unit: Pick<Unit, "audit" | "tx">, id: string): Promise<void>;
  /** Queued work of kind `nodes.drain`: it is about this node, or about one that has ended meanwhile. */
  drain(order: unknown): Promise<void>;
  end(): Promise<void>;
}

type Deps = Pick<Cradle, "bus" | "clock" | "events" | "log" | "nodes" | "storage" | "transact">;

export const DRAIN_KIND = "nodes.drain";
const DrainOrder = z.object({ node: z.string() });

export function createRollCall(deps: Deps): RollCall {
  const { bus, clock, nodes, storage } = deps;
  const { leaderOf, nodeId, shared } = storage.coordination;
  const write = createRows(deps);
  const own = () => nodes.live()[0];
  /** A process alone on its database has no peers to tell of. */
  let hasMet = false;
  let open: readonly Disposable[] = [];
  const meet = (): void => {
    hasMet ||= nodes.hasPeers();
  };
  const note = async (action: string, members?: Readonly<Record<string, unknown>>): Promise<void> => {
    const node = own();
    if (hasMet && node) await write(action, node, members);
  };
  return {
    async begin() {
      if (!shared) return;
      open = [bus.answer(PING_KIND, async () => ({})), nodes.onBeat(meet)];
      meet();
      await note("peer_add");
    },
    take: () =>
      Promise.all(
        nodes.live().map(async (node) => {
          const answer = node.id === nodeId ? { isOnline: true, pingMs: 0 } : await ping(deps, node);
          return entryOf(node, { now: clock.now(), leader: leaderOf(LEADER), ...answer });
        }),
      ),
    note,
    ...createDraining(deps),
    buried: (node) => write("peer_disconnect", node, { reason: "silent" }),
    async end() {
      for (const one of open) one[Symbol.dispose]();
      await note("peer_disconnect", { reason: "left" });
    },
  };
}

function createDraining({ events, log, nodes, storage }: Deps): Pick<RollCall, "askToDrain" | "drain"> {
  const { nodeId } = storage.coordination;
  return {
    async askToDrain({ audit, tx }, id) {
      const node = drainOf(nodes.live(), id);
      if (!node) return;
      if ("reason" in node) throw new DomainError("node", node.reason, node.description);
      await tx.enqueue(DRAIN_KIND, { node: id }, { key: id, node: id });
      audit("peer_drain", { description: node.host, node: id, keywords: [id] });
    },
    async drain(order) {
      if (DrainOrder.parse(order).node !== nodeId || nodes.live()[0]?.state === "draining") return;
      await nodes.setState("draining");
      // The second beat reads the states of others by then: of two nodes asked at once, at least one sees the other.
      await nodes.setState("draining");
      if (hasHeir(nodes.live(), nodeId)) return events.emit("signalbox.asked_to_drain", {});
      await nodes.setState("up");
      log.warn({}, "This node was asked to drain and goes on: no other node could take over from it");
    },
  };
}

/** Asks a node for a sign of life, and times it. A node of an old release cannot answer: it lives while it beats. */
async function ping({ bus, clock }: Deps, { id: node, protocol }: KnownNode) {
  if (protocol === 0) return { isOnline: true, pingMs: 0 };
  const startedMs = clock.monotonicMs();
  const isOnline = await answers({ bus }, node);
  return { isOnline, pingMs: Math.round(clock.monotonicMs() - startedMs) };
}

function createRows({ log, transact }: Deps) {
  return async (action: string, { id, host }: Pick<KnownNode, "host" | "id">, members = {}): Promise<void> => {
    const detail = { description: host, node: id, ...members, keywords: [id] };
    await transact(async ({ audit }) => audit(action, detail)).catch((error: unknown) =>
      log.warn({ action, node: id, error }, "A row about a node was not written"),
    );
  };
}
