import * as z from "zod";
import { named } from "../../wire/schemas/named.ts";
import { object } from "../../wire/schemas/objects.ts";

const NodeStats = object(() => ({
  satellites: z.int(),
  jobs: z.int(),
  load: z.number(),
  /** Milliseconds by which the node's last timer fired late. */
  lag_ms: z.number(),
  state: z.enum(["up", "draining"]),
}));

const facts = {
  online: z.boolean(),
  /** True for the leader. All nodes serve calls. */
  master: z.boolean(),
  /** Unix seconds of its last beat. */
  date: z.number(),
  version: z.string(),
  /** Milliseconds that the node took to answer during this call. */
  ping: z.number(),
  stats: NodeStats,
};

/** A node as `get_masters` returns it (docs/contract/servers.md#nodes). */
export const NodeEntry = named(
  "Node",
  object(() => ({ id: z.string(), host: z.string(), started: z.number(), protocol: z.int(), ...facts })),
);
export type NodeEntry = z.infer<typeof NodeEntry>;

/** The same keyed by name, as clients of `get_servers` expect it. */
export const Conductor = object(() => ({ id: z.string(), node: z.string(), ...facts }));
export type Conductor = z.infer<typeof Conductor>;
