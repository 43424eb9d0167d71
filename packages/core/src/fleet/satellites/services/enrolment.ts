import type { Cradle } from "../../../kernel/container.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { everything } from "../../../search/ast.ts";
import { type EnrolmentToken, enrolmentCollection } from "../collection.ts";
import type { Initial } from "../rules/initial.ts";

/**
 * Tokens with which new agents fetch their package and configuration from any node
 * (docs/contract/satellites.md#installation). Only hashes are stored, so that a lookup leaks nothing by its timing, and
 * a copy of the storage admits no agent.
 */
export interface Enrolment {
  /** Returns 64 hex digits, valid for any number of agents until they expire. */
  create(tx: WriteTx, initial: Initial, expiresSec: number): Promise<string>;
  /** The same in its own transaction. */
  issue(initial: Initial, expiresSec: number): Promise<string>;
  /** Initial members of servers that enrol with this token; undefined if it is unknown or expired. */
  find(token: string): Promise<Initial | undefined>;
  /** Adds members to an existing token. */
  extend(token: string, members: Initial): Promise<void>;
}

/** Most tokens that are kept; beyond it the oldest ones are revoked early. */
const MAX_TOKENS = 1000;
const TOKEN = /^[0-9a-f]{64}$/;

type Deps = Pick<Cradle, "clock" | "ids" | "snapshot" | "transact">;

export function createEnrolment({ clock, ids, snapshot, transact }: Deps): Enrolment {
  const isAlive = ({ until }: EnrolmentToken): boolean => until > clock.now();
  const create: Enrolment["create"] = async (tx, initial, expiresSec) => {
    await makeRoom(tx, isAlive);
    const token = ids.hex();
    const now = clock.now();
    await tx
      .collection(enrolmentCollection)
      .insert({ id: sha256Hex(token), initial, created: now, until: now + expiresSec });
    return token;
  };
  return {
    create,
    issue: (initial, expiresSec) => transact(({ tx }) => create(tx, initial, expiresSec)),
    async find(token) {
      // API keys and tokens of servers arrive in the same parameter.
      if (!TOKEN.test(token)) return undefined;
      const found = await snapshot((tx) => tx.collection(enrolmentCollection).get(sha256Hex(token)));
      return found && isAlive(found) ? found.initial : undefined;
    },
    async extend(token, members) {
      if (Object.keys(members).length === 0) return;
      await transact(async ({ tx }) => {
        const tokens = tx.collection(enrolmentCollection);
        const id = sha256Hex(token);
        // It may have expired since it was checked.
        if (await tokens.get(id))
          await tokens.update(id, (current) => ({ ...current, initial: { ...current.initial, ...members } }));
      });
    },
  };
}

/** Once the bound is reached, deletes expired tokens and the oldest ones. */
async function makeRoom(tx: WriteTx, isAlive: (token: EnrolmentToken) => boolean): Promise<void> {
  const tokens = tx.collection(enrolmentCollection);
  if ((await tokens.find(everything, { limit: 0 })).total < MAX_TOKENS) return;
  const newestFirst = (await tokens.list()).sort((one, two) => two.created - one.created);
  const kept = new Set(newestFirst.filter(isAlive).slice(0, MAX_TOKENS - 1));
  await tokens.deleteMany(newestFirst.filter((token) => !kept.has(token)).map(({ id }) => id));
}
