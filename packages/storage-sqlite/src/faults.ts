import type { StorageFault } from "@signalbox/core/storage";

interface Fault {
  /** Primary result code of SQLite. */
  readonly code: number;
  readonly name: string;
  readonly fault: StorageFault;
}

const FAULTS: readonly Fault[] = [
  { code: 3, name: "PERM", fault: "read-only" },
  // A statement in a transaction that an earlier fault has already ended.
  { code: 4, name: "ABORT", fault: "gone" },
  { code: 5, name: "BUSY", fault: "locked" },
  { code: 6, name: "LOCKED", fault: "locked" },
  { code: 7, name: "NOMEM", fault: "gone" },
  { code: 8, name: "READONLY", fault: "read-only" },
  { code: 10, name: "IOERR", fault: "gone" },
  { code: 11, name: "CORRUPT", fault: "damaged" },
  { code: 13, name: "FULL", fault: "full" },
  { code: 14, name: "CANTOPEN", fault: "gone" },
  { code: 15, name: "PROTOCOL", fault: "locked" },
  { code: 26, name: "NOTADB", fault: "damaged" },
];

/** The fault of the file, as either driver reports it; undefined for errors of a statement. */
export function sqliteFaultOf(error: unknown): StorageFault | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number") return FAULTS.find((one) => one.code === (errcode & 0xff))?.fault;
  // Extended codes start with the name of their primary code.
  const name = typeof code === "string" ? /^SQLITE_([A-Z]+)(?:_|$)/.exec(code)?.[1] : undefined;
  return FAULTS.find((one) => one.name === name)?.fault;
}
