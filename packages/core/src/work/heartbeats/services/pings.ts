import type { Cradle } from "../../../kernel/container.ts";
import { NotFoundError, RateError } from "../../../kernel/errors/errors.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { createCounts } from "../../../kernel/trials.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { beatCollection, heartbeatCollection, pingCollection, tokenCollection } from "../collection.ts";
import type { Beat, Heartbeat, Ping } from "../model.ts";
import { afterPing, isRepeated, pings } from "../rules/ping.ts";

/** Calls of the addresses. */
export interface Pings {
  /** The heartbeat with a token, and its state. Throws `NotFoundError` for an unknown token. */
  find(tx: ReadTx, token: string): Promise<Heartbeat & { readonly beat: Beat | undefined }>;
  /** Counts a call or a repetition against its rate limit. Throws `RateError` for too many in a minute. */
  admit(heartbeat: string, isRepetition: boolean): void;
  note(unit: Pick<Unit, "tx">, heartbeat: string, ping: Ping): Promise<void>;
}

/** Most calls of one heartbeat that a node accepts. */
const PER_MINUTE = 60;
/** Most repetitions of calls. They are answered too but counted separately, because a client that retries is no flood. */
const REPETITIONS_PER_MINUTE = 600;

export const newBeat = (id: string): Beat => ({ id, from: null, failed: false, runs: [], count: 0 });

export function createPings({ clock }: Pick<Cradle, "clock">): Pings {
  const calls = createCounts({ clock }, PER_MINUTE);
  const repetitions = createCounts({ clock }, REPETITIONS_PER_MINUTE);
  return {
    async find(tx, token) {
      const found = await tx.collection(tokenCollection).get(sha256Hex(token));
      const heartbeat = found && (await tx.collection(heartbeatCollection).get(found.heartbeat));
      if (!heartbeat) throw new NotFoundError("Unknown heartbeat.");
      return { ...heartbeat, beat: await tx.collection(beatCollection).get(heartbeat.id) };
    },
    admit(heartbeat, isRepetition) {
      const count = isRepetition ? repetitions : calls;
      if (!count(heartbeat)) throw new RateError("Too many calls of this heartbeat in a minute.");
    },
    async note({ tx }, heartbeat, ping) {
      // The lock serialises concurrent calls, also on different nodes.
      await tx.lock(`heartbeats:${heartbeat}`);
      const beats = tx.collection(beatCollection);
      const beat = await beats.get(heartbeat);
      if (!beat || isRepeated(beat, ping)) return;
      const { count } = await beats.update(heartbeat, (stored) => afterPing(stored, ping));
      const id = pings.idOf(heartbeat, count);
      await tx.overwrite(pingCollection, [{ id, json: JSON.stringify({ id, ...ping }) }]);
    },
  };
}
