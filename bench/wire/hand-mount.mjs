/**
 * The least that a library like ours adds to a Hono host: the packages and Node modules that its contract needs, a store with one
 * table, and a route with a schema. Runs after the program of the bare host, in the same process.
 */
import { createHmac, scrypt } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import * as z from "zod";

/** `app` is a Hono host. */
export async function mountByHand(app) {
  await import("ws");
  const database = new DatabaseSync(":memory:");
  database.exec("create table records (id text primary key, doc text)");
  const key = await promisify(scrypt)("0123456789abcdef", "salt of the hand", 32);
  database.prepare("insert into records values (?, ?)").run("a", createHmac("sha256", key).update("a").digest("hex"));
  const input = z.looseObject({ id: z.string().regex(/^\w+$/) });
  const date = new Intl.DateTimeFormat("en", { timeZone: "UTC", dateStyle: "short", timeStyle: "short" });
  app.post("/api/app/get/v1", async (context) => {
    const { id } = input.parse(await context.req.json());
    return context.json({
      code: 0,
      at: date.format(),
      row: database.prepare("select * from records where id = ?").get(id),
    });
  });
  const answer = await app.request("/api/app/get/v1", { method: "POST", body: '{"id":"a"}' });
  if (answer.status !== 200) throw new Error(`By hand: ${answer.status}`);
}
