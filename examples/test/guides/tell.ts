/**
 * Runs the snippets of guides and prints their failures as one line of JSON: `tell.ts <folder> <page> …`. Each page has its own
 * engine with the events that its snippets define, and each snippet is a module; names that snippets take for granted are
 * globals, as in `docs/scripts/snippet-globals.d.ts`.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { wsAgents } from "@signalbox/adapters/agents";
import { fsBlobStore } from "@signalbox/adapters/blobs";
import { localAgent, nodeProcesses } from "@signalbox/adapters/local-agent";
import { jsonLogger } from "@signalbox/adapters/log";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import * as core from "@signalbox/core";
import { definePlugin, type HostEvent } from "@signalbox/core/plugin";
import { behindProxies, createHandler, createRouter, trustedHeaderUser } from "@signalbox/http-hono";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import * as z from "zod";

const guides = fileURLToPath(new URL("../../../docs/guide/", import.meta.url));
const [folder = "", ...pages] = process.argv.slice(2);
const failed: Record<string, string> = {};
let ran = 0;
const log = jsonLogger({ write: () => undefined });
const secretKey = "a secret key for the guides";

/** Message of an error. */
const told = (error: unknown): string => (error instanceof Error ? error.message : String(error));
let now = "";
for (const kind of ["unhandledRejection", "uncaughtException"] as const)
  process.on(kind, (error: unknown) => {
    failed[now] = `left behind: ${told(error)}`;
  });

interface Snippet {
  readonly name: string;
  readonly code: string;
}

function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(join(guides, `${page}.md`), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""], index) => ({
    name: `${page} ${index + 1}`,
    code,
  }));
}

async function load({ name, code }: Snippet): Promise<void> {
  now = name;
  ran += 1;
  const file = join(folder, `${name.replaceAll(/\W/g, "-")}.ts`);
  writeFileSync(file, `${code}\nexport {};\n`);
  await import(pathToFileURL(file).href).catch((error: unknown) => {
    failed[name] = told(error);
  });
}

/** Snippets that call the engine run last, after the snippets that define its events. */
const speaks = ({ code }: Snippet): boolean => /\bsignalbox\./.test(code) && !/\bcreateSignalbox\(/.test(code);

/** Creates the events, groups and the ticket that pages mention, except for ids that a page creates itself. */
async function addWorld({ api }: ReturnType<typeof core.createSignalbox>, snippets: readonly Snippet[]): Promise<void> {
  const isMade = (id: string): boolean =>
    snippets.some(({ code }) =>
      ["createEvent", "defineEvent"].some((make) => code.includes(`${make}({\n  id: "${id}"`)),
    );
  for (const id of ["nightly_backup", "restore", "patch_night", "send_invoice"].filter((id) => !isMade(id)))
    await api.createEvent({
      ...{ id, title: id, enabled: true, category: "general", targets: ["main"], algo: "random" },
      ...{ plugin: "shellplug", params: { script: "true" }, triggers: [{ type: "manual", enabled: true }] },
    });
  await api.createTicket({ id: "t1", subject: "Press" });
  for (const id of ["office_berlin", "office_lisbon"])
    await api.createGroup({ id, title: id, hostname_match: `^${id}` });
}

async function runPage(page: string): Promise<void> {
  const own = join(folder, `host-of-${page.replace("/", "-")}`);
  mkdirSync(own);
  process.chdir(own);
  const events = new Map<string, HostEvent>();
  Object.assign(globalThis, {
    ...{
      createRouter,
      createHandler,
      behindProxies,
      trustedHeaderUser,
      localAgent,
      wsAgents,
      fetchWebHookClient,
      sqliteStorage,
      z,
    },
    ...{ definePlugin, storage: core.memoryStorage(), secretKey, filename: join(own, "own.sqlite") },
    ...{ newKey: "a newer secret key", oldKey: secretKey, order: { id: "4711" }, removeExpiredCarts: async () => 3 },
    createSignalbox: (options: Parameters<typeof core.createSignalbox>[0]) => core.createSignalbox({ log, ...options }),
    defineEvent(definition: Parameters<typeof core.defineEvent>[0]) {
      const event = core.defineEvent(definition);
      events.set(event.id, event);
      return event;
    },
  });
  const snippets = snippetsOf(page);
  for (const snippet of snippets.filter((one) => !speaks(one))) await load(snippet);
  const blobs = fsBlobStore("files");
  const signalbox = core.createSignalbox({
    ...{ storage: core.memoryStorage(), secretKey, blobs, log, events: [...events.values()] },
    agents: localAgent({ processes: nodeProcesses(), blobs }),
  });
  // Snippets about readings need a first minute, which comes after a second.
  const measured = new Promise((resolve) => signalbox.events.on("server.minute", resolve));
  await signalbox.start();
  if (page === "monitoring") await measured;
  await addWorld(signalbox, snippets);
  Object.assign(globalThis, { signalbox });
  for (const snippet of snippets.filter(speaks)) await load(snippet);
  await signalbox.stop();
}

// An engine's timers keep no process alive, and nothing else does while a snippet follows a job.
const awake = setInterval(() => undefined, 1000);
for (const page of pages)
  await runPage(page).catch((error: unknown) => {
    failed[page] = told(error);
  });
clearInterval(awake);
console.log(JSON.stringify({ ran, failed }));
process.exit();
