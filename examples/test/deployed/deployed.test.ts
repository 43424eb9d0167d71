import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { launchProgram } from "../program.ts";

const recipe = fileURLToPath(new URL("../../container/", import.meta.url));
const read = (name: string): string => readFileSync(join(recipe, name), "utf8");
const folder = mkdtempSync(join(tmpdir(), "signalbox-deployed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Instructions of the Dockerfile, with continued lines joined. */
const steps = read("Dockerfile").replaceAll("\\\n", "").split("\n");
const argumentsOf = (pattern: RegExp): string[] => {
  const [, list = ""] = steps.map((step) => pattern.exec(step)).find(Boolean) ?? [];
  return JSON.parse(list);
};

test("the image's program serves on PostgreSQL, passes its own health check, and ends on SIGTERM", async () => {
  const key = join(folder, "secret_key");
  writeFileSync(key, "a secret key of a container\n");
  const [program, name = ""] = argumentsOf(/^CMD (.*)/);
  expect(program).toBe("node");
  const connection = await createTestDatabase(inject("pgUrl"));
  const env = { NODE_ENV: "production", DATABASE_URL: connection, SECRET_KEY_FILE: key, FILES: folder, PORT: "0" };
  const running = launchProgram(`container/${name}`, { env });
  const [, port = ""] = await running.line(/^Listening .*port: (\d+)/);
  expect(running.stdout()).toMatch(/administratorKey.*administratorPassword/s);
  expect(running.stderr()).toBe("");

  const [asker, ...check] = argumentsOf(/HEALTHCHECK.*?CMD (.*)/);
  expect(asker).toBe("node");
  const healthOf = (PORT: string) => spawnSync(process.execPath, check, { env: { ...process.env, PORT } }).status;
  expect([healthOf(port), healthOf("1")]).toEqual([0, 1]);
  expect(await running.kill("SIGTERM")).toBe(0);
});

test("the recipe copies existing files, and sets variables that the program reads", () => {
  const copied = steps.flatMap((step) => /^COPY (?!--from)(.*) \S+$/.exec(step)?.[1]?.split(" ") ?? []);
  const made = new Set(["package.json", "package-lock.json"]);
  expect(copied.filter((name) => !made.has(name) && !existsSync(join(recipe, name)))).toEqual([]);
  const program = read("ops.ts");
  const compose = read("compose.yaml");
  expect(compose).toContain("DATABASE_URL:");
  expect(program).toContain(`"/run/secrets/${/secrets: \[(\w+)\]/.exec(compose)?.[1]}"`);
  expect(program).toContain(`FILES = "${/files:([^"]+)"/.exec(compose)?.[1]}"`);
  expect(steps).toContain(`EXPOSE ${/PORT = "(\d+)"/.exec(program)?.[1]}`);
});
