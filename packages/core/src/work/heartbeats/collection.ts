import { defineCollection } from "../../ports/storage/collection.ts";
import type { Beat, Heartbeat, HeartbeatToken, KeptPing } from "./model.ts";

export const heartbeatCollection = defineCollection<Heartbeat>({
  name: "heartbeats",
  noun: "Heartbeat",
  resident: true,
});

/** Kept apart from the definitions, which clients read: hashes of tokens must stay hidden. */
export const tokenCollection = defineCollection<HeartbeatToken>({
  name: "heartbeat_tokens",
  noun: "Heartbeat token",
  terms: { heartbeat: ({ heartbeat }) => [heartbeat] },
});

export const beatCollection = defineCollection<Beat>({ name: "heartbeat_beats", noun: "Beat" });

/** The newest calls of each heartbeat, as a ring buffer. */
export const pingCollection = defineCollection<KeptPing>({ name: "heartbeat_pings", noun: "Ping" });
