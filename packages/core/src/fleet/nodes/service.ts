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
  /** Starts to answer other nodes, and to write activity rows about this node. */
  begin(): Promise<void>;
  /** All live nodes, this one first. Each of the others is pinged. */
  take(): Promise<readonly NodeEntry[]>;
  /** Writes an activity row about this node. Never rejects: the event that the row records has already happened. */
  note(action: "master_primary"): Promise<void>;
  /** Writes an activity row about another node that is dead. */
  buried(node: Pick<KnownNode, "host" | "id">): Promise<void>;
  /**
   * Makes a node drain after the commit, and writes a row that says who asked. Throws (`node`) when it cannot drain.
   */
  askToDrain(unit: Pick<Unit, "audit" | "tx">, id: string): Promise<void>;
  /** Queued work of kind `nodes.drain`. The order names this node, or one that has ended meanwhile. */
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
  /** A process that is alone on its database writes no rows: there are no peers. */
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
      // The second beat reads the states of the other nodes: if two nodes are asked at once, at least one sees
      // that the other is draining.
      await nodes.setState("draining");
      if (hasHeir(nodes.live(), nodeId)) return events.emit("signalbox.asked_to_drain", {});
      await nodes.setState("up");
      log.warn({}, "This node was asked to drain and goes on: no other node could take over from it");
    },
  };
}

/**
 * Pings a node and times the answer. A node of an old release (protocol 0) cannot answer: it counts as online while its
 * beat comes.
 */
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
