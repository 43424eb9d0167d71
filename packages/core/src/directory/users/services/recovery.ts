import type { Client } from "../../../kernel/calls/context.ts";
import type { KeyedCradle } from "../../../kernel/container.ts";
import { equalSecrets, sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { recoveryCollection, userCollection } from "../collection.ts";
import type { User } from "../model.ts";
import { addKey, countMail, isAddressOf, liveKeys } from "../rules/recovery.ts";
import { recoveryKey } from "./recovery-key.ts";

/** Lets people who forgot their password choose a new one, by mail (docs/contract/accounts.md#passwords). */
export interface Recovery {
  /** Waits for a random time, up to a quarter of a second, so that the time of an answer reveals nothing. */
  pause(): Promise<void>;
  /** Sends a key if the account exists and did not ask too often; the caller does not learn whether it was sent. */
  request(tx: WriteTx, asked: { user: string; email: string; client: Client }): Promise<void>;
  /** Derives the key from the nonce; it is not stored. */
  keyOf(user: string, nonce: string): string;
  /** The account that the key opens. */
  find(tx: ReadTx, user: string, key: string): Promise<User | undefined>;
  /** Forgets all keys of an account. */
  clear(tx: WriteTx, user: string): Promise<void>;
}

const MAX_PAUSE_MS = 250;

type Deps = Pick<KeyedCradle, "clock" | "random" | "ids" | "config" | "secretKey" | "accountMails" | "securityLog">;

export function createRecovery(deps: Deps): Recovery {
  const { clock, random } = deps;
  return {
    pause: () => new Promise((resolve) => void clock.after(random.fraction() * MAX_PAUSE_MS, resolve)),
    request: (tx, asked) => request(deps, tx, asked),
    keyOf: (user, nonce) => recoveryKey(deps.secretKey, user, nonce),
    async find(tx, user, key) {
      const account = await tx.collection(userCollection).get(user);
      const recovery = await tx.collection(recoveryCollection).get(user);
      const hash = sha256Hex(key.toLowerCase());
      const fits = liveKeys(recovery?.keys ?? [], clock.now()).filter((stored) => equalSecrets(stored.hash, hash));
      return account?.active && fits.length > 0 ? account : undefined;
    },
    async clear(tx, user) {
      await tx.collection(recoveryCollection).delete(user);
    },
  };
}

async function request(
  { clock, config, ids, secretKey, accountMails, securityLog }: Deps,
  tx: WriteTx,
  { user: id, email, client }: { user: string; email: string; client: Client },
): Promise<void> {
  const users = tx.collection(userCollection);
  const user = await users.get(id);
  if (!user?.active || !accountMails.isEnabled() || !isAddressOf(user, email)) return;
  const counted = countMail(user, clock.now(), config.User.max_forgot_passwords_per_hour);
  if (!counted) return;
  await users.update(id, () => counted);
  const nonce = ids.hex();
  const hash = sha256Hex(recoveryKey(secretKey, id, nonce));
  const recoveries = tx.collection(recoveryCollection);
  const keysWith = (keys: Parameters<typeof addKey>[0]) => addKey(keys, hash, Math.floor(clock.now()));
  if (await recoveries.get(id)) await recoveries.update(id, (stored) => ({ ...stored, keys: keysWith(stored.keys) }));
  else await recoveries.insert({ id, keys: keysWith([]) });
  await accountMails.queue(tx, { template: "recover_password", user, client, nonce });
  await securityLog.write(
    tx,
    id,
    { action: "notice", detail: { description: "A password reset was asked for." } },
    client,
  );
}
