import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ADMIN_KEY, SECRET_KEY } from "../hosts/checks.ts";

const examples = fileURLToPath(new URL("../../", import.meta.url));
const modules = join(examples, "hosts-apart/node_modules");

/** A copy of the app that a test may edit, as deep in the repository as the app itself; its folder. */
function copyApp(): string {
  const folder = mkdtempSync(join(examples, "../.bundled-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(examples, "hosts"), join(folder, "hosts"), { recursive: true });
  const filter = (path: string) => !path.endsWith(".next");
  cpSync(join(examples, "hosts-apart/nextjs"), join(folder, "hosts-apart/nextjs"), { recursive: true, filter });
  symlinkSync(modules, join(folder, "hosts-apart/node_modules"));
  return folder;
}

/** Starts `next dev`, which picks a port; its address, and what ends it. */
async function develop(folder: string) {
  const own = { OPS_DATABASE: join(folder, "ops.sqlite"), OPS_SECRET_KEY: SECRET_KEY, OPS_ADMIN_KEY: ADMIN_KEY };
  const child = spawn(join(modules, ".bin/next"), ["dev", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: join(folder, "hosts-apart/nextjs"),
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "development", ...own },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
  let url = "";
  for await (const line of createInterface(child.stdout)) {
    url ||= /(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1] ?? "";
    if (url && line.includes("Ready in")) break;
  }
  child.stdout.resume();
  return { url, stop };
}

// Installed by `npm run soak -- hosts`.
test.skipIf(!existsSync(modules))(
  "an edit in `next dev` leaves the engine as it is",
  { timeout: 120_000 },
  async () => {
    const folder = copyApp();
    const { url, stop } = await develop(folder);
    onTestFinished(stop);
    const nodeOf = async () => ((await (await fetch(`${url}/ops/health`)).json()) as { readonly node?: string }).node;
    const before = await nodeOf();
    for (const name of ["hosts/ops.ts", "hosts-apart/nextjs/ops.js"]) appendFileSync(join(folder, name), "// edited\n");
    const route = join(folder, "hosts-apart/nextjs/app/[mount]/[[...path]]/route.js");
    writeFileSync(route, readFileSync(route, "utf8").replace("Not found", "Edited"));
    const isLoaded = async (): Promise<boolean> => {
      const answer = await fetch(`${url}/none`);
      const said = await answer.text();
      expect([answer.status, said]).toEqual([404, expect.stringMatching(/^(?:Not found|Edited)$/)]);
      return said === "Edited";
    };
    while (!(await isLoaded())) await new Promise((resolve) => setTimeout(resolve, 200));
    expect([before, await nodeOf()]).toEqual([expect.stringMatching(/^n/), before]);
  },
);
