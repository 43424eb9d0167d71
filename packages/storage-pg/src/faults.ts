import type { StorageFault } from "@signalbox/core/storage";

/** Errors of the server, by SQLSTATE; a class has two characters. */
const STATES: Readonly<Record<string, StorageFault>> = {
  "53100": "full",
  "25006": "read-only",
  // Statements and locks that took longer than the server or the role allows.
  "55P03": "locked",
  "57014": "locked",
  // Tables of ours are missing: another database stands where ours was, such as an empty one after a failover.
  "42P01": "damaged",
  "3F000": "damaged",
  XX001: "damaged",
  XX002: "damaged",
  "08": "gone",
  // No memory, no free connection.
  "53": "gone",
  // The server is stopping, starting, or has crashed.
  "57P01": "gone",
  "57P02": "gone",
  "57P03": "gone",
  "57P04": "gone",
  "57P05": "gone",
  // It cannot read or write its own files.
  "58": "gone",
  // The database is gone, or takes no connections, or not ours.
  "3D000": "gone",
  "55000": "gone",
  "28000": "gone",
  "28P01": "gone",
};

const NETWORK = /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|EAI_\w+|ENOTFOUND|ENOENT|EACCES|EADDRNOTAVAIL)$/;

/** The client itself says these without a code. */
const LOST =
  /^(?:Connection terminated|Connection ended|Client was closed|Client has encountered a connection error|Client already|timeout e(?:xpired|xceeded)|Query read timeout|Cannot use a pool after|write after end|This socket has been ended)/;

/** The fault of the database or of the way to it; undefined for errors of a statement. */
export function pgFaultOf(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code === "string")
    return STATES[code] ?? STATES[code.slice(0, 2)] ?? (NETWORK.test(code) ? "gone" : undefined);
  return LOST.test(error.message) ? "gone" : undefined;
}
