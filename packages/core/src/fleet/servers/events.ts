import type { Server } from "./model.ts";

/** Payloads are the stored record at the time. */
export interface ServerEvents {
  "server.added": Server;
  "server.removed": Server;
  /** The record of a server was changed by a caller, a job, or its groups. */
  "server.updated": Server;
  /** A server and its history were deleted. */
  "server.deleted": Server;
  /** A minute of a server was evaluated and stored. */
  "server.minute": { id: string };
}
