/** The program that is killed: an engine whose clock moves by minutes. The test sends it the reports of its servers over IPC. */
import { flushCompileCache } from "node:module";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox } from "@signalbox/core";
import { type Clock, systemClock } from "@signalbox/core/adapter";
import { everything, type StoredRecord } from "@signalbox/core/plugin";
import { scriptedAgent } from "@signalbox/core/testing";
import { openStorage } from "../../lib/environment.ts";
import { answerQuestions } from "../asked-process.ts";
import type { Command, Sight } from "./protocol.ts";

const { STORAGE = "", RECEIVER = "", SHIFT = "0" } = process.env;
let shift = Number(SHIFT);
const clock: Clock = { ...systemClock, now: () => systemClock.now() + shift };
const agent = scriptedAgent();
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const isFile = STORAGE.startsWith("sqlite:");
const storage = await openStorage(
  { kind: isFile ? "sqlite" : "postgres", location: STORAGE.replace(/^sqlite:/, "") },
  quiet,
);
const signalbox = createSignalbox({
  storage,
  clock,
  agents: agent,
  webHooks: fetchWebHookClient({ allow: ["loopback"] }),
  secretKey: "only for the crash test",
  log: quiet,
});
await signalbox.start();
const { api, events } = signalbox;

/** The first start stores the definitions of the test. */
async function define(): Promise<void> {
  const { rows } = await api.getAlerts();
  if (rows.some(({ id }) => id === "hot")) return;
  await api.createWebHook({ id: "receiver", title: "Receiver", method: "POST", url: RECEIVER });
  const hook = { enabled: true, type: "web_hook" as const, web_hook: "receiver", per: "subject" as const };
  const actions = (["alert_new", "alert_cleared"] as const).map((condition) => ({ ...hook, condition }));
  const alert = { id: "hot", title: "Too hot", expression: "temp > 50", message: "{{temp}}", samples: 3, actions };
  await api.createAlert({ ...alert, exclusive_actions: true });
}
await define();
// A killed process writes no compile cache: this saves the next start from compiling everything again.
flushCompileCache();

const servers = new Map<string, Awaited<ReturnType<typeof agent.connect>>>();
async function serverOf(id: string) {
  const server = servers.get(id) ?? (await agent.connect({ hostname: id, id }));
  servers.set(id, server);
  return server;
}

/** Stores one minute of a server, and waits until the work it queued is done. */
async function minute(id: string, temp: number): Promise<void> {
  const server = await serverOf(id);
  shift += 60;
  const stored = new Promise<void>((resolve) => {
    const heard = (payload: { id: string }): void => {
      if (payload.id !== id) return;
      events.off("server.minute", heard);
      resolve();
    };
    events.on("server.minute", heard);
  });
  server.send("monitor", { version: "1.0", date: clock.now(), data: { temp } });
  await stored;
  // Work that a killed process had begun is free again after its lease, which the clock shift has passed.
  for (let turn = 0; turn < 1000 && (await storage.work.stats()).open > 0; turn++)
    await new Promise((resolve) => setTimeout(resolve, 3));
}

async function look(server: string): Promise<Sight> {
  const { rows } = await api.searchAlerts({ query: `server:${server}`, limit: 100 });
  const log = signalbox.collections.find(({ name }) => name === "activity");
  if (!log) throw new Error("There is no activity collection");
  const { rows: activity } = await storage.read((tx) => tx.collection<StoredRecord>(log).find(everything));
  const actions = (activity as unknown as { action: string; server?: string }[]).filter((row) => row.server === server);
  return {
    invocations: rows.map(({ id, active, actions: run = [] }) => ({ id, active, codes: run.map(({ code }) => code) })),
    fired: actions.filter(({ action }) => action === "alert_new").length,
    cleared: actions.filter(({ action }) => action === "alert_cleared").length,
    open: (await storage.work.stats()).open,
  };
}

answerQuestions(async (command: Command): Promise<Sight | undefined> => {
  if (command.kind === "look") return look(command.server);
  await minute(command.server, command.temp);
  return undefined;
});
