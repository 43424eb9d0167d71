/** Writes the generated pages of docs/reference; `--check` fails when one is out of date. */
import { readFile, writeFile } from "node:fs/promises";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { createOpenApi } from "@signalbox/http-hono";
import { configPage, operationsPage, privilegesPage, refusalsModule, settingsModule } from "./pages.ts";

const signalbox = createSignalbox({ storage: memoryStorage(), secretKey: "only for the reference" });

const pages: Readonly<Record<string, string>> = {
  "operations.md": operationsPage(signalbox, JSON.parse(createOpenApi(signalbox)(""))),
  "privileges.md": privilegesPage(signalbox),
  "config.md": configPage(),
  "../../packages/dashboard/src/app/pages/configuration/settings.ts": settingsModule(),
  "../../packages/client/src/refusals.ts": refusalsModule(signalbox),
};

const urlOf = (name: string): URL => new URL(`../reference/${name}`, import.meta.url);

async function check(): Promise<void> {
  for (const [name, text] of Object.entries(pages)) {
    const stored = await readFile(urlOf(name), "utf8").catch(() => "");
    if (stored === text) continue;
    console.error(`docs/reference/${name} is out of date: run npm run reference`);
    process.exitCode = 1;
  }
}

if (process.argv.includes("--check")) await check();
else for (const [name, text] of Object.entries(pages)) await writeFile(urlOf(name), text);
