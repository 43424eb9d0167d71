/**
 * The least idle cost of a server that samples its machine as ours does: the system calls for a sample each second, a row with a
 * flush each minute, and nothing else. Prints 0 once it runs, as it has no port.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const [folder = ""] = process.argv.slice(2);
const FILES = ["/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/diskstats", "/proc/net/dev"];
const KEPT_SEC = 60;

const database = new DatabaseSync(join(folder, "idle-by-hand.sqlite"));
database.exec(
  "pragma journal_mode = wal; pragma synchronous = full; create table minutes (at integer primary key, doc text)",
);
const insert = database.prepare("insert into minutes values (?, ?)");
const seconds = [];

setInterval(() => {
  seconds.push(FILES.map((file) => readFileSync(file, "utf8")));
  if (seconds.length > KEPT_SEC) seconds.shift();
}, 1000);
setInterval(() => insert.run(Date.now(), JSON.stringify(seconds.at(-1))), 60_000);
console.log(0);
