import { userCollection } from "../../../src/directory/users/collection.ts";
import type { Cradle } from "../../../src/kernel/container.ts";

/** Adds accounts with an address but without a password, whose hash would cost more than a test. */
export const addPeople = ({ transact }: Pick<Cradle, "transact">, names: readonly string[]): Promise<void> =>
  transact(async ({ tx }) => {
    for (const username of names)
      await tx.collection(userCollection).insert({
        ...{ id: username, username, full_name: username, email: `${username}@example.com`, password: "" },
        ...{ active: true, privileges: {}, roles: [], categories: [], groups: [], created: 1, modified: 1 },
      });
  });

export const deactivate = ({ transact }: Pick<Cradle, "transact">, name: string): Promise<unknown> =>
  transact(({ tx }) => tx.collection(userCollection).update(name, (user) => ({ ...user, active: false })));
