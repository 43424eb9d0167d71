import * as z from "zod";
import { named } from "../../wire/schemas/named.ts";
import { object } from "../../wire/schemas/objects.ts";

const NodeStats = object(() => ({
  satellites: z.int(),
  jobs: z.int(),
  load: z.number(),
  /** Milliseconds by which its last timer came too late. */
  lag_ms: z.number(),
  state: z.enum(["up", "draining"]),
}));

const facts = {
  online: z.boolean(),
  /** It leads. Every node serves. */
  master: z.boolean(),
  /** Its last beat. Unix seconds. */
  date: z.number(),
  version: z.string(),
  /** Time that it took to answer this call. Milliseconds. */
  ping: z.number(),
  stats: NodeStats,
};

/** A node as `get_masters` answers it (docs/contract/servers.md#nodes). */
export const NodeEntry = named(
  "Node",
  object(() => ({ id: z.string(), host: z.string(), started: z.number(), protocol: z.int(), ...facts })),
);
export type NodeEntry = z.infer<typeof NodeEntry>;

/** The same under its name, as clients of `get_servers` know it. */
export const Conductor = object(() => ({ id: z.string(), node: z.string(), ...facts }));
export type Conductor = z.infer<typeof Conductor>;
