import type { Transfer, TransferKeys } from "../../kernel/plugins/transfer.ts";
import { isObject } from "../../lib/json/is-object.ts";
import { roleRecords } from "../roles/records.ts";
import { securityLogCollection, userCollection } from "./collection.ts";
import { User } from "./model.ts";
import { administratorsAmong, userKey } from "./rules/account.ts";

const NAME = /^\w{1,64}$/;

/** Accounts are transferred under their own keys, with their stored password hashes. */
const accounts: TransferKeys = {
  collection: userCollection,
  list: "users",
  item: "users",
  read: ({ id: _id, ...account }: User) => account,
  take(id, value) {
    if (!NAME.test(id) || id !== id.toLowerCase()) throw new Error(`Not a user name: ${id}`);
    if (!isObject(value)) throw new Error("An account must be an object");
    // The key of one account must not write another account.
    if (typeof value["username"] !== "string" || userKey(value["username"]) !== id)
      throw new Error(`The account of another user name stands under the key of ${id}`);
    const lists = { privileges: {}, roles: [], categories: [], groups: [] };
    const account = User.safeParse({ full_name: "", email: "", active: 1, ...lists, ...value, id });
    if (!account.success) throw new Error(`Malformed account: ${String(account.error.issues[0]?.path.join("."))}`);
    return account.data;
  },
};

export const userTransfer: Transfer = {
  lists: {
    users: {
      collection: userCollection,
      shape: User,
      names: {
        entry: ({ username }: User) => ({ username }),
        idOf: ({ username }) => (typeof username === "string" ? userKey(username) : undefined),
      },
      /**
       * The account of the caller, and the last administrators: without them, the installation could not even be repaired by
       * another import.
       */
      async mustStay(tx, leaving, caller) {
        const roles = await tx.collection(roleRecords).list();
        const administrators = administratorsAmong(await tx.collection(userCollection).list(), roles);
        const isOneLeft = administrators.some(({ id }) => !leaving.has(id));
        if (!isOneLeft) return administrators.map(({ id }) => id);
        return caller?.kind === "user" ? [userKey(caller.id)].filter((id) => leaving.has(id)) : [];
      },
    },
  },
  keys: { "users/*": accounts },
  own: [securityLogCollection],
};
