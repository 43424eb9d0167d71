import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  type ConfigInput,
  createSignalbox,
  memoryStorage,
  type Signalbox,
  type SignalboxOptions,
} from "@signalbox/core";
import type { LogFields, Logger } from "@signalbox/core/adapter";
import type { Storage } from "@signalbox/core/storage";
import { type FakeClock, fakeClock, type SatelliteOptions, socketSatellite } from "@signalbox/core/testing";
import { afterEach } from "vitest";
import { WebSocket } from "ws";
import { quickKeys, quickPasswords } from "../../core/test/engine.ts";
import { type WsAgentsOptions, wsAgents } from "../src/agents/index.ts";

export const SECRET_KEY = "EXAMPLE_CLUSTER_KEY";

export interface ConductorSetup extends WsAgentsOptions {
  readonly storage?: Storage;
  readonly config?: ConfigInput;
  readonly secretKeys?: readonly string[];
  readonly clock?: FakeClock;
}

/** Starts an engine with satellites on a port; its clock stands still until the test advances it. */
export async function startConductor(setup: ConductorSetup = {}) {
  const { storage, config, secretKeys = [SECRET_KEY], clock = fakeClock(), ...limits } = setup;
  const agents = wsAgents(limits);
  const logged: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = [];
  const note = (level: string) => (fields: LogFields, message: string) => void logged.push({ level, message, fields });
  const log: Logger = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  const options: SignalboxOptions<readonly [typeof quickKeys, typeof quickPasswords]> = {
    storage: storage ?? memoryStorage({ clock }),
    ...{ secretKeys, clock, agents, log },
    plugins: [quickKeys, quickPasswords],
    config: { debug: true, ...config },
  };
  const signalbox: Signalbox = createSignalbox(options);
  await signalbox.start();
  const { port } = await agents.listen({ port: 0, host: "127.0.0.1" });
  const url = `ws://127.0.0.1:${port}/`;
  const { api } = signalbox as ReturnType<typeof createSignalbox>;
  return {
    agents,
    api,
    clock,
    logged,
    port,
    signalbox,
    url,
    /** A satellite that has joined with its server's token. */
    join: (options: Partial<SatelliteOptions> = {}) =>
      socketSatellite({ url, hostname: "web01.example.internal", join: { serverKey: SECRET_KEY }, ...options }),
    /** Descriptions of the activity log, oldest first. */
    async activity(): Promise<string[]> {
      const { rows } = await api.searchActivity({ query: "*", limit: 1000 } as never);
      return (rows as unknown as { action: string; description: string }[])
        .map(({ action, description }) => `${action}: ${description}`)
        .toReversed();
    },
    /** Waits for messages on the connection; the clock does not advance. */
    until: (isTrue: () => boolean | Promise<boolean>) => until(isTrue),
  };
}

export type Conductor = Awaited<ReturnType<typeof startConductor>>;

/** Starts engines for the tests of a file and stops them after each test. */
export function useConductors(): (setup?: ConductorSetup) => Promise<Conductor> {
  const running: Conductor[] = [];
  afterEach(async () => {
    for (const { signalbox } of running.splice(0)) await signalbox.stop();
  });
  return async (setup) => {
    const conductor = await startConductor(setup);
    running.push(conductor);
    return conductor;
  };
}

const PATIENCE_MS = 120_000;

/** Checks again in every turn of the event loop. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error("It did not come about");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface CapturedLine {
  readonly dir: "in" | "out";
  readonly cmd: string;
  readonly data: unknown;
}

const fixture = (name: string): string =>
  readFileSync(new URL(`../../core/src/testing/fixtures/${name}`, import.meta.url), "utf8");

/** A captured message of a real satellite. */
export const captured = (name: string): Record<string, unknown> => JSON.parse(fixture(`${name}.json`));

/** A captured conversation about one job, with other ids. */
export function conversation(name: string, ids: { readonly job: string; readonly server: string }): CapturedLine[] {
  const lines = fixture(`${name}.ndjson`).trim().split("\n");
  const [first = ""] = lines;
  const { job } = (JSON.parse(first) as { data: { job: { id: string; server: string } } }).data;
  return lines.map((line) => JSON.parse(line.replaceAll(job.id, ids.job).replaceAll(job.server, ids.server)));
}

interface PageMessage {
  readonly cmd: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface PageOptions {
  readonly url: string;
  readonly session?: string;
  readonly origin?: string;
  /** False: echo requests stay unanswered. */
  readonly answersEcho?: boolean;
}

/** Opens the socket of a page. Rejects when it is refused. */
export async function openPage({ url, session, origin, answersEcho = true }: PageOptions) {
  const headers = session === undefined ? {} : { cookie: `theme=dark; session_id=${session}` };
  const socket = new WebSocket(url, { headers, ...(origin === undefined ? {} : { origin }) });
  const received: PageMessage[] = [];
  const closed = new Promise<string>((resolve) => {
    socket.once("close", (code, reason) => resolve(`${code} ${reason}`));
  });
  const send = (cmd: string, data: unknown): void => socket.send(JSON.stringify({ cmd, data }));
  socket.on("message", (text) => {
    const message = JSON.parse(String(text)) as PageMessage;
    received.push(message);
    if (message.cmd === "echo" && answersEcho) send("echoback", message.data);
  });
  await once(socket, "open");
  // An error on an open socket closes it, and `closed` reports that.
  socket.on("error", () => undefined);
  return {
    ...{ closed, received, send, socket },
    all: (cmd: string) => received.filter((message) => message.cmd === cmd).map(({ data }) => data),
    close: () => socket.close(),
  };
}
