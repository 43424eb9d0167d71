import * as z from "zod";
import { object } from "../../../wire/schemas/objects.ts";

/** Kinds of queued work by which servers are deleted (docs/contract/servers.md#removal). */
export const UNINSTALL_KIND = "servers.uninstall";
export const CLOSE_KIND = "servers.close";
export const REMOVE_KIND = "servers.remove";

/** Seconds that an agent has to uninstall itself before its connection is closed. */
export const UNINSTALL_SEC = 60;
/** Seconds after which history is deleted even if no node saw the connection end: its node may be gone. */
export const REMOVE_SEC = UNINSTALL_SEC + 15;

/**
 * Seconds in which a satellite that was deleted with its history, but still runs, is told again to uninstall itself.
 */
export const DELETED_SEC = 86_400;
/** Seconds without contact after which a server is not missed any more. */
export const MISSED_SEC = 7 * 86_400;
/** Message to other nodes: a server was deleted with its history. */
export const DELETED_MESSAGE = "servers.deleted";

/** One connection of a server; later connections of the same server are not affected. */
export const Departure = object(() => ({
  id: z.string(),
  socket: z.string(),
  /** True = everything stored about the server is deleted once it has disconnected. */
  history: z.boolean().optional(),
}));
export const Removal = object(() => ({ id: z.string() }));

export interface RemovalOptions {
  /** True = nothing happens to a server that is connected. */
  readonly sparesConnected?: boolean;
}
