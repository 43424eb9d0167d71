export interface ServerEvents {
  "server.added": { id: string };
  "server.removed": { id: string };
  /** The record of a server changed: by a caller, by a job, or by its groups. */
  "server.updated": { id: string };
  /** A server and its history are gone. */
  "server.deleted": { id: string };
  /** The minute data of a server was evaluated and stored. */
  "server.minute": { id: string };
}
