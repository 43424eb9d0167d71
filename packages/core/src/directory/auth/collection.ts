import { defineCollection } from "../../ports/storage/collection.ts";
import type { KeyUse, Session } from "./model.ts";

/**
 * Sessions. Not resident: each request reads its session, because an ended one must fail with the very next request on every
 * node.
 */
export const sessionCollection = defineCollection<Session>({
  name: "sessions",
  noun: "Session",
  columns: { expires: { type: "integer", read: ({ expires }) => expires } },
  terms: { user: ({ user }) => [user] },
});

export const keyUseCollection = defineCollection<KeyUse>({ name: "key_use", noun: "Key Use" });
