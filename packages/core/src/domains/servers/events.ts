export interface ServerEvents {
  "server.added": { id: string };
  "server.removed": { id: string };
  /** The groups of a connected server changed. */
  "server.updated": { id: string };
  /** The minute data of a server was evaluated and stored. */
  "server.minute": { id: string };
}
