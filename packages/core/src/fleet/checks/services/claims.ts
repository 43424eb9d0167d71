import type { Cradle } from "../../../kernel/container.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { claimCollection, stateCollection } from "../collection.ts";
import type { Check, Claim } from "../model.ts";
import { isDue, isOwn, turnOf } from "../rules/turns.ts";
import type { States } from "./network.ts";

/** A check, and the turn in which this node runs it. */
export interface Turn {
  readonly check: Check;
  /** Unix seconds. */
  readonly turn: number;
}

/** Shares the turns of checks among nodes, so that each turn is run by one node. */
export interface Claims {
  /** The turns that are due and fall to this node. `now` is Unix seconds. */
  due(checks: readonly Check[], states: States, now: number): readonly Turn[];
  /** Claims turns that are due, and returns those that no other node had claimed. */
  take(turns: readonly Turn[]): Promise<readonly Turn[]>;
}

/**
 * Milliseconds after a check's timeout within which its node must have stored a result. After that the node counts as
 * dead or stalled.
 */
const SPARE_MS = 30_000;

type Deps = Pick<Cradle, "nodes" | "storage" | "transact">;

export function createClaims({ nodes, storage, transact }: Deps): Claims {
  const { nodeId: self, shared } = storage.coordination;
  return {
    due(checks, states, now) {
      if (!nodes.isHeard()) return [];
      const up = nodes.live().filter(({ state }) => state === "up");
      const seen = { now, self, nodes: up.map(({ id }) => id) };
      return checks.flatMap((check) => {
        const state = states.get(check.id);
        return isDue(check, state, now) && isOwn(check, state, seen) ? [{ check, turn: turnOf(check, state) }] : [];
      });
    },
    async take(turns) {
      if (!shared) return turns;
      return transact(async ({ tx }) => {
        // Serialises the nodes: otherwise two of them would find the same turns free.
        await tx.lock("checks.claims");
        const states = await tx.collection(stateCollection).getMany(turns.map(({ check }) => check.id));
        const open = turns.filter(({ check, turn }, at) => turnOf(check, states[at]) === turn);
        return claimFree(tx, open, { self, nowMs: nodes.nowMs() });
      });
    },
  };
}

interface Claimer {
  readonly self: string;
  readonly nowMs: number;
}

async function claimFree(tx: WriteTx, turns: readonly Turn[], { self, nowMs }: Claimer): Promise<readonly Turn[]> {
  const claims = await tx.collection(claimCollection).getMany(turns.map(({ check }) => check.id));
  const free = turns.filter(({ turn }, at) => {
    const claim = claims[at];
    return !claim || claim.turn !== turn || claim.untilMs <= nowMs;
  });
  const made = free.map(({ check: { id, timeout }, turn }): Claim => {
    return { id, turn, node: self, untilMs: nowMs + timeout * 1000 + SPARE_MS };
  });
  await tx.overwrite(
    claimCollection,
    made.map((claim) => ({ id: claim.id, json: JSON.stringify(claim) })),
  );
  return free;
}
