import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Bytes that must be free there: the tests use up to a third of it, the server of PostgreSQL included. */
const ROOM = 3_000_000_000;

/** Whether programs may be run from it, which containers forbid by default. */
const runsPrograms = () =>
  readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .some((line) => line.split(" ")[1] === MEMORY && !line.includes("noexec"));

function hasRoom() {
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM;
}

/**
 * A folder for the temporary files of tests, and its removal: one in memory, where Linux has it with enough room; else the
 * system's own, which stays.
 */
export function temporaryFolder() {
  if (!existsSync(MEMORY) || !hasRoom() || !runsPrograms()) return { path: tmpdir(), remove: () => undefined };
  const path = mkdtempSync(join(MEMORY, "signalbox-tests-"));
  // PostgreSQL runs as an account of its own, which has to reach its folder in it.
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
