import type { Actor } from "../../../kernel/calls/context.ts";
import type { Definitions } from "../../../kernel/definitions/definitions.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { apiKeyRecords } from "../../api-keys/records.ts";
import { roleRecords } from "../../roles/records.ts";
import { userRecords } from "../../users/records.ts";
import { userKey } from "../../users/rules/account.ts";
import { sessionRecords } from "../records.ts";
import { isExpired } from "../rules/session.ts";
import { createActors } from "./actors.ts";

/** Looks up who a caller is while its call goes on: rights change, keys and accounts end. */
export interface Identities {
  /** The function gives the caller with its rights of this moment; undefined = its rights are over. */
  follow(caller: Actor): () => Actor | undefined;
  /** Whether the session is over that the caller came by. */
  isSignedOut(caller: Actor): Promise<boolean>;
}

interface Deps {
  readonly definitions: Definitions;
  readonly clock: Clock;
  readonly storage: Pick<Storage, "read">;
}

export function createIdentities({ definitions, clock, storage }: Deps): Identities {
  const actors = createActors(definitions);
  const keyNow = (id: string): Actor | undefined => {
    const key = definitions.get(apiKeyRecords, id);
    const isDead = !key?.active || (key.expires && clock.now() >= key.expires);
    return isDead ? undefined : actors.ofKey(key);
  };
  const userNow = (id: string): Actor | undefined => {
    const user = definitions.get(userRecords, id);
    return user?.active ? actors.ofUser(user) : undefined;
  };
  return {
    follow(caller) {
      const user = userKey(caller.id);
      // Programs in this process may name actors without a stored account: their word stands.
      if (caller.kind === "key" && definitions.get(apiKeyRecords, caller.id)) return () => keyNow(caller.id);
      if (caller.kind === "user" && definitions.get(userRecords, user)) return () => userNow(user);
      if (caller.kind !== "host") return () => caller;
      // The roles that the host named are not known here: after a change of any role, the caller is resolved again.
      const roles = definitions.revision(roleRecords);
      return () => (definitions.revision(roleRecords) === roles ? caller : undefined);
    },
    async isSignedOut({ session: id }) {
      if (id === undefined) return false;
      const session = await storage.read((tx) => tx.collection(sessionRecords).get(id));
      return !session || isExpired(session, clock.now());
    },
  };
}
