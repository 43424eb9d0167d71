/**
 * The least that a server like ours costs until its first answer: the packages it imports, a SQLite file with one table and one
 * row, and an answer. It starts as ours does: Node starts twice. Plain JavaScript, since Node takes 60 ms to load its type
 * stripping.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const [folder = "", handedOver] = process.argv.slice(2);
if (handedOver === undefined && process.execve) {
  const args = [process.execPath, "--max-semi-space-size=4", ...process.argv.slice(1), "again"];
  process.execve(process.execPath, args, process.env);
}

const [{ getRequestListener }, { Hono }] = await Promise.all([import("@hono/node-server"), import("hono")]);
await import("ws");

const database = new DatabaseSync(join(folder, "by-hand.sqlite"));
database.exec("pragma journal_mode = wal; create table records (id text primary key, doc text)");
database.prepare("insert into records values (?, ?)").run("admin", "{}");

const app = new Hono().get("/api/app/ping", (context) => context.json({ code: 0 }));
const server = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1", () => {
  console.log(server.address().port);
});
