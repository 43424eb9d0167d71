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

/** Development server and own page of each app. */
const APPS: Readonly<Record<string, { readonly command: readonly [string, ...string[]]; readonly page: string }>> = {
  nextjs: { command: ["next", "dev", "--hostname", "127.0.0.1", "--port", "0"], page: "app/page.js" },
  sveltekit: { command: ["vite", "dev", "--host", "127.0.0.1"], page: "src/routes/+page.svelte" },
};

/** Copies an app so that a test may edit it, at the same depth in the repository; returns its folder. */
function copyApp(name: string): string {
  const folder = mkdtempSync(join(examples, "../.bundled-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(examples, "hosts"), join(folder, "hosts"), { recursive: true });
  const filter = (path: string) => !/\.(?:next|svelte-kit)$/.test(path);
  cpSync(join(examples, "hosts-apart", name), join(folder, "hosts-apart", name), { recursive: true, filter });
  symlinkSync(modules, join(folder, "hosts-apart/node_modules"));
  return folder;
}

/** Starts the development server on a free port; returns its address and a function to stop it. */
async function develop(folder: string, name: string) {
  const own = { OPS_DATABASE: join(folder, "ops.sqlite"), OPS_SECRET_KEY: SECRET_KEY, OPS_ADMIN_KEY: ADMIN_KEY };
  const [program, ...args] = APPS[name]?.command ?? [""];
  const child = spawn(join(modules, ".bin", program), args, {
    cwd: join(folder, "hosts-apart", name),
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "development", ...own },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
  let url = "";
  let isReady = false;
  for await (const line of createInterface(child.stdout)) {
    url ||= /(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1] ?? "";
    isReady ||= /ready in/i.test(line);
    if (url && isReady) break;
  }
  child.stdout.resume();
  return { url, stop };
}

// Installed by `npm run soak -- hosts`.
const names = Object.keys(APPS);
test.skipIf(!existsSync(modules)).each(names)(
  "an edit in development does not affect the engine of %s",
  async (name) => {
    const folder = copyApp(name);
    const { url, stop } = await develop(folder, name);
    onTestFinished(stop);
    const nodeOf = async () => ((await (await fetch(`${url}/ops/health`)).json()) as { readonly node?: string }).node;
    const before = await nodeOf();
    for (const file of ["hosts/ops.ts", `hosts-apart/${name}/ops.js`])
      appendFileSync(join(folder, file), "// edited\n");
    const page = join(folder, "hosts-apart", name, APPS[name]?.page ?? "");
    writeFileSync(page, readFileSync(page, "utf8").replace("own page", "edited page"));
    const isLoaded = async () => {
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      return (await answer.text()).includes("edited page");
    };
    while (!(await isLoaded())) await new Promise((resolve) => setTimeout(resolve, 200));
    expect([before, await nodeOf()]).toEqual([expect.stringMatching(/^n/), before]);
  },
  120_000,
);
