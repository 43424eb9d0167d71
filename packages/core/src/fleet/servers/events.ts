import type { Server } from "./model.ts";

/** Payloads are the stored record at that moment. */
export interface ServerEvents {
  "server.added": Server;
  "server.removed": Server;
  /** The record of a server changed: by a caller, by a job, or by its groups. */
  "server.updated": Server;
  /** A server and its history are gone. */
  "server.deleted": Server;
  /** The minute data of a server was evaluated and stored. */
  "server.minute": { id: string };
}
