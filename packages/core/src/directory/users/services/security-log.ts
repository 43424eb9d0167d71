import type { Client } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { deleteFound } from "../../../kernel/searches/delete-found.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { buildActivity } from "../../activity/rules/row.ts";
import { securityLogCollection, userCollection } from "../collection.ts";
import { rowsOf } from "../rules/security-rows.ts";

/** The security log of an account, for its owner: logins, changes, warnings. It never contains a session id or a credential. */
export interface SecurityLog {
  /** `user` is the key of the account. */
  write(
    tx: WriteTx,
    user: string,
    entry: { readonly action: string; readonly detail: Readonly<Record<string, unknown>> },
    client: Client,
  ): Promise<void>;
  /** Removes the whole log of an account, for its deletion. */
  clear(tx: WriteTx, user: string): Promise<void>;
}

/** Bound of rows per account, because strangers can add rows by failing to sign in. */
const MAX_ROWS = 1000;
const BATCH = 100;

export function createSecurityLog({ clock, ids }: Pick<Cradle, "clock" | "ids">): SecurityLog {
  return {
    async write(tx, user, entry, client) {
      const { username = user } = (await tx.collection(userCollection).get(user)) ?? {};
      // Read one by one: clients of transports compute their members on access, so there is nothing to copy.
      const { ip, ips, headers, userAgent } = client;
      const origin = { id: ids.short("sl"), now: Math.floor(clock.now()), username, ip, ips, headers, userAgent };
      // Built like a row of the activity log, so that the same members are excluded.
      const { keywords: _keywords, ...row } = buildActivity(entry, origin);
      await tx.collection(securityLogCollection).insert({ ...row, account: user });
      await removeFrom(tx, user, MAX_ROWS);
    },
    async clear(tx, user) {
      while ((await removeFrom(tx, user, 0)) === BATCH);
    },
  };
}

/** Removes the rows after the newest `keep`, at most a batch; returns how many. */
const removeFrom = (tx: WriteTx, user: string, keep: number): Promise<number> =>
  deleteFound(tx.collection(securityLogCollection), rowsOf(user), {
    sortBy: "id",
    descending: true,
    offset: keep,
    limit: BATCH,
  });
