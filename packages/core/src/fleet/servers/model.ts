import * as z from "zod";
import { named } from "../../wire/schemas/named.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";

/** A monitored machine (docs/contract/servers.md#server). */
export const Server = named(
  "Server",
  looseObject(() => ({
    id: z.string(),
    /** Normalised to ASCII, lower case, `[\w.-]`. */
    hostname: z.string(),
    /** Address of the connection, never one that the agent reports. */
    ip: z.string(),
    title: z.string().nullish(),
    /** False = gets no jobs, but is still monitored. */
    enabled: z.boolean().nullish(),
    groups: z.array(z.string()),
    /** True = groups follow from patterns for the hostname. */
    autoGroup: z.boolean(),
    icon: z.string().nullish(),
    userData: z.record(z.string(), z.unknown()).nullish(),
    maxJobs: z.number().nullish(),
    /** Servers and `check:<id>` that this server needs to work, such as a router. Ours. */
    depends_on: z.array(z.string()).nullish(),
    /** True = it comes and goes, so it is not missed while it is away. Ours. */
    ephemeral: z.boolean().nullish(),
    created: z.number(),
    modified: z.number(),
    /** Counts changes by callers, but not those by jobs or reports of the machine. */
    revision: z.int().optional(),
    /** Connection that it last came by; shown to administrators only. */
    socket_id: z.string().optional(),
    keywords: z.string().optional(),
    /** Facts from the agent's hello message, refreshed by its minutes. */
    info: z.record(z.string(), z.unknown()),
  })),
);
export type Server = z.infer<typeof Server>;

/** A server's last minute (docs/contract/monitors.md#record-of-the-last-minute). Its id is the server's. */
export const HostRecord = looseObject(() => ({
  id: z.string(),
  version: z.string(),
  /** Unix seconds, by the clock of the server's node. */
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

/** A server as operations return it. */
export const PublicServer = looseObject(() => ({
  ...Server.shape,
  online: z.boolean(),
  /** Id of the node that it is connected to; absent when there can be only one node. Ours. */
  node: z.string().optional(),
}));
export type PublicServer = z.infer<typeof PublicServer>;

/** Members for naming and choosing servers. Ours. */
export const ServerName = object(() => {
  const { id, hostname, title, icon, groups, enabled, depends_on } = Server.shape;
  return { id, hostname, title, icon, groups, enabled, depends_on };
});
export type ServerName = z.infer<typeof ServerName>;

/** A host record as operations return it: without its id, with aliases added. */
export const PublicHostRecord = z.looseObject({});
export type PublicHostRecord = z.infer<typeof PublicHostRecord>;

/** A server that was told to uninstall itself. */
export type DeletedServer = {
  id: string;
  /** Unix seconds of the deletion, and of the time when this record expires. */
  readonly since: number;
  readonly until: number;
  /** True = its history and record are deleted, too. */
  readonly history: boolean;
};
