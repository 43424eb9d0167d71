import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { createHandler } from "@signalbox/http-hono";
import { nodeListener } from "@signalbox/http-hono/node";
import { afterAll, beforeAll, expect, test } from "vitest";

const docs = fileURLToPath(new URL("../../", import.meta.url));
const compiler = join(docs, "../node_modules/typescript/bin/tsc");
// Runs in its own process, since it loads a whole compiler.
const generator = fileURLToPath(new URL("../bin/cli.js", import.meta.resolve("openapi-typescript")));
const KEY = "openApiTestAdministratorKey0";

/** A program as a user would write it against the generated types. */
const PROGRAM = `import createClient from "openapi-fetch";
import type { paths } from "./client.ts";

const api = createClient<paths>({ baseUrl: process.argv[2] ?? "", headers: { "X-API-Key": "${KEY}" } });
const made = await api.POST("/api/app/create_event/v1", {
  body: {
    title: "By a client", enabled: true, category: "general", targets: ["main"], algo: "random",
    plugin: "shellplug", params: { script: "#!/bin/sh" },
    triggers: [{ type: "schedule", enabled: true, hours: [3], minutes: [30] }],
    actions: [{ type: "email", enabled: true, condition: "error", email: "ops@example.com" }],
  },
});
console.log("event", made.data?.event.title ?? made.error?.description);
const kept = await api.POST("/api/app/create_tag/v1", { body: { title: "Kept", id: "kept" } });
if (kept.data) console.log("tag", kept.data.tag.id);
const again = await api.POST("/api/app/create_tag/v1", { body: { title: "Kept", id: "kept" } });
// A code that the operation does not have would not compile.
if (again.error?.code === "tag") console.log("refused", again.error.description);
const { data } = await api.GET("/api/app/get_tags/v1", {});
if (data?.code === 0) console.log("tags", data.rows.map(({ id }) => id).join(" "));
`;
const WRONG = `import type { paths } from "./client.ts";
type Refused = paths["/api/app/create_tag/v1"]["post"]["responses"]["4XX"]["content"]["application/json"];
export const isNone = (error: Refused) => error.code === "no_such_code";
`;

const run = async (...args) => (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;
const compile = (file) =>
  run(
    ...[compiler, "--noEmit", "--strict", "--module", "nodenext", "--allowImportingTsExtensions", "--skipLibCheck"],
    ...["--types", "node", "--ignoreConfig", "--checkers", "1", file],
  );

let folder;
let url;
const signalbox = createSignalbox({
  ...{ storage: memoryStorage(), blobs: memoryBlobStore(), secretKey: "only for this test, long enough" },
  administratorKey: KEY,
});
const server = createServer(nodeListener(createHandler(signalbox, { basePath: "/ops" })));
beforeAll(async () => {
  mkdirSync(join(docs, ".cache"), { recursive: true });
  folder = mkdtempSync(join(docs, ".cache/client-"));
  await signalbox.start();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}/ops`;
  await run(generator, `${url}/api/openapi.json`, "--output", "client.ts");
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await signalbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("the OpenAPI document becomes a client that compiles, creates an event and lists tags", async () => {
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  expect(await compile("program.ts")).toBe("");
  const lines = (await run("program.ts", url)).trim().split("\n");
  expect(lines).toEqual([
    "event By a client",
    "tag kept",
    "refused Tag ID already exists: kept",
    expect.stringMatching(/^tags (?:\w+ )*kept\b/),
  ]);
});

test("a code that an operation does not refuse with does not compile", async () => {
  writeFileSync(join(folder, "wrong.ts"), WRONG);
  await expect(compile("wrong.ts")).rejects.toMatchObject({ stdout: expect.stringContaining("no_such_code") });
});
