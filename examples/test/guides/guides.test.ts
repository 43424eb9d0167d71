import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { CODE } from "../program.ts";

const run = promisify(execFile);
const cache = fileURLToPath(new URL("../../../docs/.cache/", import.meta.url));

/** Pages whose snippets run here. Snippets of other pages listen on a fixed port, need a browser, or have their own test. */
const PAGES = [
  ...[
    "backup",
    "dashboard",
    "embedding",
    "events",
    "files",
    "getting-started",
    "jobs",
    "monitoring",
    "plugins",
    "secrets",
  ],
  ...[
    "several-nodes",
    "tickets-and-search",
    "web-hooks",
    "who-is-told",
    "workflows",
    "moving/node-cron",
    "moving/bullmq",
    "moving/crontab",
    "moving/uptime-kuma",
    "moving/tickets",
  ],
];

/** Snippets that need more than a fresh process has, with the error message each of them fails with. */
const MISSING = {
  // Needs a PostgreSQL client; `host-transaction.test.ts` has one.
  "embedding 3": "client is not defined",
  "jobs 11": "client is not defined",
  // Reads a file of passwords that are not here.
  "secrets 2": "ENOENT: no such file or directory, open '.env'",
  // Needs a picture, and a server at ops.example.
  "tickets-and-search 2": "current is not defined",
};

let folder: string;
beforeAll(async () => {
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, "guides-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the snippets of the guides run, one after the other, in an engine of their page", async () => {
  const env = { ...process.env, DATABASE_URL: await createTestDatabase(inject("pgUrl")) };
  const program = join(import.meta.dirname, "tell.ts");
  const { stdout } = await run(process.execPath, [...CODE, program, folder, ...PAGES], { env, maxBuffer: 1 << 24 });
  const { ran, failed } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  expect(failed).toEqual(MISSING);
  expect(ran).toBeGreaterThan(50);
});
