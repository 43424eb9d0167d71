import { closeSync, openSync, readSync, statSync } from "node:fs";

/** Offset of the header byte that holds the file format: 1 = rollback journal, 2 = write-ahead log. */
const WRITTEN_AT = 18;
const WITH_JOURNAL = 1;

/**
 * Throws when a write-ahead log lies beside a file that was never written with one: a nightly backup that replaced a database
 * whose process was killed. SQLite would copy pages of the old database into the backup. Costs three calls of the file system;
 * call it before anything is read.
 */
export function refuseFormerLog(file: string): void {
  const log = `${file}-wal`;
  if (!statSync(log, { throwIfNoEntry: false })?.size || writtenBy(file) !== WITH_JOURNAL) return;
  throw new Error(
    `The storage cannot be opened: ${file} is a copy, and ${log} beside it belongs to the database that was there before. Remove ${log} and ${file}-shm, and start again.`,
  );
}

function writtenBy(file: string): number | undefined {
  const head = Buffer.alloc(WRITTEN_AT + 1);
  const opened = openSync(file, "r");
  try {
    return readSync(opened, head, 0, head.length, 0) === head.length ? head[WRITTEN_AT] : undefined;
  } finally {
    closeSync(opened);
  }
}
