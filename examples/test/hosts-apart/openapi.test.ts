import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { createHandler } from "@signalbox/http-hono";
import { nodeListener } from "@signalbox/http-hono/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const apart = fileURLToPath(new URL("../../hosts-apart/", import.meta.url));
const isInstalled = existsSync(join(apart, "node_modules"));
const KEY = "openApiTestAdministratorKey0";

/** A program as somebody would write it against the generated types. */
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
const refused = await api.POST("/api/app/create_tag/v1", { body: { title: "Kept", id: "kept" } });
if (refused.data) console.log("tag", refused.data.tag.id);
const again = await api.POST("/api/app/create_tag/v1", { body: { title: "Kept", id: "kept" } });
// A code that the operation does not have would not compile.
if (again.error?.code === "tag") console.log("refused", again.error.description);
const { data } = await api.GET("/api/app/get_tags/v1", {});
if (data?.code === 0) console.log("tags", data.rows.map(({ id }) => id).join(" "));
`;

const run = async (file: string, args: readonly string[], cwd: string) => {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd, maxBuffer: 16_777_216 });
  return stdout;
};
const tool = (path: string): string => join(apart, "node_modules", path);

// Its tools are installed by `npm run soak -- hosts`.
describe.skipIf(!isInstalled)("the OpenAPI document of a host", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(apart, ".bundled-"));
  const signalbox = createSignalbox({
    ...{ storage: memoryStorage(), blobs: memoryBlobStore(), secretKey: "only for this test, long enough" },
    administratorKey: KEY,
  });
  const server = createServer(nodeListener(createHandler(signalbox, { basePath: "/ops" })));
  let url: string;
  beforeAll(async () => {
    await signalbox.start();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ops`;
    writeFileSync(join(folder, "openapi.json"), await (await fetch(`${url}/api/openapi.json`)).text());
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await signalbox.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("keeps the recommended rules of redocly without a warning", async () => {
    const args = ["lint", "openapi.json", "--extends", "recommended", "--format", "json"];
    const report = JSON.parse(await run(tool("@redocly/cli/bin/cli.js"), args, folder));
    expect(report.problems).toEqual([]);
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  test("becomes a client that compiles, creates an event and lists tags", async () => {
    await run(tool("openapi-typescript/bin/cli.js"), ["openapi.json", "--output", "client.ts"], folder);
    writeFileSync(join(folder, "program.ts"), PROGRAM);
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--allowImportingTsExtensions", "--skipLibCheck"];
    const types = ["--types", "node", "--typeRoots", join(apart, "../../node_modules/@types"), "--ignoreConfig"];
    const compiler = join(apart, "../../node_modules/typescript/bin/tsc");
    expect(await run(compiler, [...flags, ...types, "program.ts"], folder)).toBe("");
    const lines = (await run(join(folder, "program.ts"), [url], folder)).trim().split("\n");
    expect(lines).toEqual([
      "event By a client",
      "tag kept",
      "refused Tag ID already exists: kept",
      expect.stringMatching(/^tags (?:\w+ )*kept\b/),
    ]);
  });
});
