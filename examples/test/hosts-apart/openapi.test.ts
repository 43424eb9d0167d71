import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { createHandler } from "@signalbox/http-hono";
import { afterAll, expect, test } from "vitest";

const apart = fileURLToPath(new URL("../../hosts-apart/", import.meta.url));
const linter = join(apart, "node_modules/@redocly/cli/bin/cli.js");
const folder = mkdtempSync(join(apart, ".bundled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function documentText(): Promise<string> {
  const secretKey = "only for this test, long enough";
  const signalbox = createSignalbox({ storage: memoryStorage(), blobs: memoryBlobStore(), secretKey });
  await signalbox.start();
  const handler = createHandler(signalbox, { basePath: "/ops" });
  const response = await handler(new Request("http://localhost/ops/api/openapi.json"));
  const text = await response.text();
  await signalbox.stop();
  return text;
}

// Its package is installed by `npm run soak -- hosts`.
test.skipIf(!existsSync(linter))(
  "the OpenAPI document passes the recommended rules of redocly without a warning",
  async () => {
    writeFileSync(join(folder, "openapi.json"), await documentText());
    const args = [linter, "lint", "openapi.json", "--extends", "recommended", "--format", "json"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 16_777_216 });
    const report = JSON.parse(stdout);
    expect(report.problems).toEqual([]);
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0 });
  },
);
