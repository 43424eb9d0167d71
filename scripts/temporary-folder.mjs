import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Free bytes required there: the tests, including the PostgreSQL server, use up to a third of it. */
const ROOM = 3_000_000_000;

/** Whether programs may be executed from it, which containers forbid by default. */
const runsPrograms = () =>
  readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .some((line) => line.split(" ")[1] === MEMORY && !line.includes("noexec"));

function hasRoom() {
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM;
}

/**
 * A folder for the temporary files of tests, and a function that removes it: in memory, where Linux offers that with enough room;
 * otherwise in the system's own folder.
 */
export function temporaryFolder() {
  const isInMemory = existsSync(MEMORY) && hasRoom() && runsPrograms();
  const path = mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), "signalbox-tests-"));
  // PostgreSQL runs under its own account, which must reach its folder in there.
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
