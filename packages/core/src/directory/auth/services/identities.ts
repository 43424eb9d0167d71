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

/** Looks up a caller while its call is running: rights change, and keys and accounts are disabled or deleted. */
export interface Identities {
  /** Returns a function that gives the caller with its current rights; undefined = it has lost them. */
  follow(caller: Actor): () => Actor | undefined;
  /** True when the caller came by a session that has ended. */
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
      // Programs in this process may name actors without a stored account; these are trusted as given.
      if (caller.kind === "key" && definitions.get(apiKeyRecords, caller.id)) return () => keyNow(caller.id);
      if (caller.kind === "user" && definitions.get(userRecords, user)) return () => userNow(user);
      if (caller.kind !== "host") return () => caller;
      // The engine does not know which roles the host named, so after a change of any role the caller must be resolved again.
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
