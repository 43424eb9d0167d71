import * as z from "zod";
import { named } from "../../wire/schemas/named.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";

/** A monitored machine (docs/contract/servers.md#server). */
export const Server = named(
  "Server",
  looseObject(() => ({
    id: z.string(),
    /** Normalised: ASCII, lower case, `[\w.-]`. */
    hostname: z.string(),
    /** Address of the connection, never an address that the agent reports. */
    ip: z.string(),
    title: z.string().nullish(),
    /** False = never chosen for jobs; still monitored. */
    enabled: z.boolean().nullish(),
    groups: z.array(z.string()),
    /** Groups follow the hostname patterns. */
    autoGroup: z.boolean(),
    icon: z.string().nullish(),
    userData: z.record(z.string(), z.unknown()).nullish(),
    maxJobs: z.number().nullish(),
    /** Servers and `check:<id>` without which this one cannot work, such as a router. Ours. */
    depends_on: z.array(z.string()).nullish(),
    /** It comes and goes: it is not missed when it is away. Ours. */
    ephemeral: z.boolean().nullish(),
    created: z.number(),
    modified: z.number(),
    /** Counts changes by callers, not those by reports of the machine or by jobs. */
    revision: z.int().optional(),
    /** Connection it came by last; shown to administrators only. */
    socket_id: z.string().optional(),
    keywords: z.string().optional(),
    /** Facts from the agent's hello, refreshed by its minute data. */
    info: z.record(z.string(), z.unknown()),
  })),
);
export type Server = z.infer<typeof Server>;

/**
 * A server's last minute (docs/contract/monitors.md#record-of-the-last-minute). The id is the server's.
 */
export const HostRecord = looseObject(() => ({
  id: z.string(),
  version: z.string(),
  /** Unix seconds, the conductor's. */
  date: z.number(),
  server: z.string(),
  hostname: z.string(),
  ip: z.string(),
  groups: z.array(z.string()),
  /** The agent's minute data with `monitors`, `deltas`, `missing`. */
  data: z.record(z.string(), z.unknown()),
  new_alerts: z.record(z.string(), z.literal(true)).optional(),
}));
export type HostRecord = z.infer<typeof HostRecord>;

/** A server as operations answer it. */
export const PublicServer = looseObject(() => ({
  ...Server.shape,
  online: z.boolean(),
  /** Id of the node that it is connected to; absent where there can be one node only. Ours. */
  node: z.string().optional(),
}));
export type PublicServer = z.infer<typeof PublicServer>;

/** Members by which a server is named and chosen. Ours. */
export const ServerName = object(() => {
  const { id, hostname, title, icon, groups, enabled, depends_on } = Server.shape;
  return { id, hostname, title, icon, groups, enabled, depends_on };
});
export type ServerName = z.infer<typeof ServerName>;

/** A host record as operations answer it: without the id, with the read-time aliases. */
export const PublicHostRecord = z.looseObject({});
export type PublicHostRecord = z.infer<typeof PublicHostRecord>;

/** A server that was told to uninstall itself. */
export type DeletedServer = {
  id: string;
  /** Unix seconds, of the deletion and of the time when it is forgotten. */
  readonly since: number;
  readonly until: number;
  /** The history and the record are deleted too. */
  readonly history: boolean;
};
