import * as z from "zod";
import { object } from "../../../wire/schemas/objects.ts";

/** Kinds of queued work by which servers are deleted (docs/contract/servers.md#removal). */
export const UNINSTALL_KIND = "servers.uninstall";
export const CLOSE_KIND = "servers.close";
export const REMOVE_KIND = "servers.remove";

/** Seconds that an agent has for its removal before its connection is closed. */
export const UNINSTALL_SEC = 60;
/** Seconds after which history goes even if no node saw the connection end: the node that held it may be gone. */
export const REMOVE_SEC = UNINSTALL_SEC + 15;

/** Seconds in which a satellite that was deleted with its history, and still runs, is told again to uninstall itself. */
export const DELETED_SEC = 86_400;
/** A server that was not seen for so many seconds is not missed any more. */
export const MISSED_SEC = 7 * 86_400;
/** To other nodes: a server was deleted with its history. */
export const DELETED_MESSAGE = "servers.deleted";

/** One connection of a server: a later one of the same server is none of our business. */
export const Departure = object(() => ({
  id: z.string(),
  socket: z.string(),
  /** Everything stored about it goes when it has left. */
  history: z.boolean().optional(),
}));
export const Removal = object(() => ({ id: z.string() }));
