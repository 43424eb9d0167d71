import * as z from "zod";
import { named } from "../../wire/schemas/named.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

export const SnapshotSource = z.enum(["user", "watch", "alert", "job"]);
export type SnapshotSource = z.infer<typeof SnapshotSource>;

const texts = z.array(z.string());
const open = z.record(z.string(), z.unknown());

/** State of a server, or of all servers of a group, at one moment (docs/contract/servers.md#snapshots). */
export const Snapshot = named(
  "Snapshot",
  looseObject(() => ({
    id: z.string(),
    type: z.enum(["server", "group"]),
    source: SnapshotSource,
    /** The user who took it; with the source "user" only. */
    username: z.string().optional(),
    /** Unix seconds of the minute; for a group, of the snapshot itself. */
    date: z.number(),
    /** Empty for a group. */
    server: z.string(),
    groups: texts,
    /** Ids of active invocations. */
    alerts: texts,
    /** Ids of active jobs, then of the workflows that they belong to. */
    jobs: texts,
    /** The server's minute data. */
    data: open.optional(),
    /** Quick samples of the server, oldest first. */
    quickmon: z.array(open).optional(),
    /** The group, and its servers with their data: `snapshots` and `quickmons` have the same indexes as `servers`. */
    group_def: open.optional(),
    servers: z.array(open).optional(),
    snapshots: z.array(open.nullable()).optional(),
    quickmons: z.array(z.array(open)).optional(),
    /** True when servers or data of servers were left out because the whole was too large. */
    truncated: z.boolean().optional(),
  })),
);
export type Snapshot = z.infer<typeof Snapshot>;

/** The light half of a snapshot: the members that lists show and searches use. */
export interface StoredSnapshot extends Snapshot {
  /** Number of parts that hold the heavy half. */
  readonly parts: number;
  /** Characters of the parts as JSON. */
  readonly size: number;
  /** Approximate characters of the light half. */
  readonly lightSize: number;
  /** Idempotency key, so that a retry takes no second snapshot. */
  readonly key?: string;
}

/** Members that lists leave out unless the caller asks for them (docs/contract/servers.md#halves). */
export interface HeavyMembers {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly group_def?: Readonly<Record<string, unknown>>;
  readonly servers?: readonly Readonly<Record<string, unknown>>[];
  readonly snapshots?: readonly (Readonly<Record<string, unknown>> | null)[];
  readonly quickmons?: readonly (readonly Readonly<Record<string, unknown>>[])[];
}

/** A slice of the heavy half; its id is the snapshot's id and a number. */
export interface SnapshotPart {
  id: string;
  readonly members: HeavyMembers;
}

export const partId = (snapshot: string, index: number): string => `${snapshot}_${index}`;
