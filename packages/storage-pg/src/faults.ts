import type { StorageFault } from "@signalbox/core/storage";

/** Errors of the server by SQLSTATE; two characters stand for a whole class. */
const STATES: Readonly<Record<string, StorageFault>> = {
  "53100": "full",
  "25006": "read-only",
  // Statements and locks that exceeded a timeout of the server or of the role.
  "55P03": "locked",
  "57014": "locked",
  // Our tables are missing: the address now leads to another database, such as an empty one after a failover.
  "42P01": "damaged",
  "3F000": "damaged",
  XX001: "damaged",
  XX002: "damaged",
  "08": "gone",
  // Out of memory or connections.
  "53": "gone",
  // The server is stopping, starting, or has crashed.
  "57P01": "gone",
  "57P02": "gone",
  "57P03": "gone",
  "57P04": "gone",
  "57P05": "gone",
  // The server cannot read or write its own files.
  "58": "gone",
  // The database is gone, or refuses all connections, or ours.
  "3D000": "gone",
  "55000": "gone",
  "28000": "gone",
  "28P01": "gone",
};

const NETWORK =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|EAI_\w+|ENOTFOUND|ENOENT|EACCES|EMFILE|ENFILE|EADDRNOTAVAIL)$/;

/** Errors that the client raises itself, without a code. */
const LOST =
  /^(?:Connection terminated|Connection ended|Client was closed|Client has encountered a connection error|Client already|timeout e(?:xpired|xceeded)|Query read timeout|Cannot use a pool after|write after end|This socket has been ended)/;

/** The fault of the database or of the connection to it; undefined for errors of a statement. */
export function pgFaultOf(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code === "string")
    return STATES[code] ?? STATES[code.slice(0, 2)] ?? (NETWORK.test(code) ? "gone" : undefined);
  return LOST.test(error.message) ? "gone" : undefined;
}
