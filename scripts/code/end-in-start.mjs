/** Preloaded by tests: asks the process to end as soon as it has claimed its SQLite file, in the middle of its start. */
import { DatabaseSync } from "node:sqlite";

const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (sql) {
  if (sql.includes("replace into sb_owner")) process.kill(process.pid, "SIGTERM");
  return prepare.call(this, sql);
};
