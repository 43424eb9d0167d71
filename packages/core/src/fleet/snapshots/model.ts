import * as z from "zod";
import { named } from "../../wire/schemas/named.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

export const SnapshotSource = z.enum(["user", "watch", "alert", "job"]);
export type SnapshotSource = z.infer<typeof SnapshotSource>;

const texts = z.array(z.string());
const open = z.record(z.string(), z.unknown());

/** State of a server, or of the servers of a group, at a moment (docs/contract/servers.md#snapshots). */
export const Snapshot = named(
  "Snapshot",
  looseObject(() => ({
    id: z.string(),
    type: z.enum(["server", "group"]),
    source: SnapshotSource,
    /** The person who took it, with the source "user". */
    username: z.string().optional(),
    /** Unix seconds: of the minute data, or of the group snapshot itself. */
    date: z.number(),
    /** Empty for groups. */
    server: z.string(),
    groups: texts,
    /** Active invocations. */
    alerts: texts,
    /** Active jobs, then workflows that they belong to. */
    jobs: texts,
    /** Minute data, of a server. */
    data: open.optional(),
    /** Quick samples of a server, oldest first. */
    quickmon: z.array(open).optional(),
    /** The group and its servers with their data: `snapshots` and `quickmons` have the same index as `servers`. */
    group_def: open.optional(),
    servers: z.array(open).optional(),
    snapshots: z.array(open.nullable()).optional(),
    quickmons: z.array(z.array(open)).optional(),
    /** The group had more servers, or data of them was left out, because the whole was too large. */
    truncated: z.boolean().optional(),
  })),
);
export type Snapshot = z.infer<typeof Snapshot>;

/** The light half of a snapshot: the members that lists show and searches read. */
export interface StoredSnapshot extends Snapshot {
  /** Number of parts that hold the rest. */
  readonly parts: number;
  /** Characters of the parts as JSON. */
  readonly size: number;
  /** Characters of this half, about. */
  readonly lightSize: number;
  /** Idempotency key, so that it is taken once. */
  readonly key?: string;
}

/** Members that lists leave out unless asked for (docs/contract/servers.md#halves). */
export interface HeavyMembers {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly group_def?: Readonly<Record<string, unknown>>;
  readonly servers?: readonly Readonly<Record<string, unknown>>[];
  readonly snapshots?: readonly (Readonly<Record<string, unknown>> | null)[];
  readonly quickmons?: readonly (readonly Readonly<Record<string, unknown>>[])[];
}

/** A slice of the heavy half; the id is the snapshot's with a number. */
export interface SnapshotPart {
  id: string;
  readonly members: HeavyMembers;
}

export const partId = (snapshot: string, index: number): string => `${snapshot}_${index}`;
