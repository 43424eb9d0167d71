import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, stopServer } from "./fleet-processes.ts";
import type { Row } from "./report.ts";

export const HOST_KEY = "an-administrator-key-of-benchmarks";

/** To the host: "watch" starts a measurement, "stop" ends the process. */
export interface HostOrder {
  readonly what: "watch" | "report" | "stop";
}
export interface HostReport {
  readonly port: number;
  /** Jobs whose end is stored. */
  readonly jobs: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  /** Processor time of single pieces of work on the event loop: 99th and 99.9th percentile, and the longest. */
  readonly pieceP99Ms: number;
  readonly pieceP999Ms: number;
  readonly pieceMaxMs: number;
  /** Processor time of the event loop's thread since its start. */
  readonly cpuMs: number;
}

export interface HostOptions {
  readonly seconds: number;
}

/** Calls per second. */
const RATES = { create_ticket: 92, decrypt_secret: 10, run_event: 32 } as const;
const SECRETS = 20;
const WARMUP_SECONDS = 10;
const BODY = "The database of the shop does not answer; replicas lag by minutes, and orders wait. ".repeat(11);

type Call = (name: string, body: object) => Promise<unknown>;

function createCaller(port: number): Call {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  return async (name, body) => {
    const sent = request({
      agent,
      port,
      host: "127.0.0.1",
      path: `/api/app/${name}/v1`,
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": HOST_KEY },
    });
    sent.end(JSON.stringify(body));
    const [answer] = await once(sent, "response");
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (!text.startsWith('{"code":0')) throw new Error(`${name}: ${text}`);
    return JSON.parse(text);
  };
}

/** Sends calls at fixed times, even when earlier ones are unanswered; resolves when all are answered. */
async function drive(send: (index: number) => Promise<unknown>, perSecond: number, seconds: number): Promise<void> {
  const calls: Promise<unknown>[] = [];
  const begun = performance.now();
  for (let index = 0; index < perSecond * seconds; index++) {
    const early = begun + (index * 1000) / perSecond - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    calls.push(send(index));
  }
  await Promise.all(calls);
}

async function load(call: Call, seconds: number): Promise<void> {
  const ticket = (index: number) =>
    call("create_ticket", { subject: `Order ${index} waits`, body: BODY, type: "issue", status: "open" });
  await Promise.all([
    drive(ticket, RATES.create_ticket, seconds),
    drive((index) => call("decrypt_secret", { id: `secret${index % SECRETS}` }), RATES.decrypt_secret, seconds),
    drive(() => call("run_event", { id: "work" }), RATES.run_event, seconds),
  ]);
}

async function prepare(call: Call): Promise<void> {
  for (let index = 0; index < SECRETS; index++)
    await call("create_secret", {
      id: `secret${index}`,
      title: `Secret ${index}`,
      enabled: true,
      fields: [{ name: "TOKEN", value: `value ${index}` }],
    });
}

async function startHost(filename: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL("./host-server.ts", import.meta.url), [filename]);
  const failed = once(child, "exit").then(() => Promise.reject(new Error("The host ended before it was ready")));
  const [ready] = (await Promise.race([once(child, "message"), failed])) as [HostReport];
  failed.catch(() => undefined);
  return { child, port: ready.port };
}

/**
 * Measures how long the event loop of a host is unavailable for the host's own work when its tickets, secrets and jobs are ours.
 */
export async function runHost({ seconds }: HostOptions): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-host-"));
  const { child, port } = await startHost(join(folder, "host.db"));
  try {
    const call = createCaller(port);
    await prepare(call);
    await load(call, WARMUP_SECONDS);
    const before = await ask<HostReport>(child, { what: "watch" });
    await load(call, seconds);
    const after = await ask<HostReport>(child, { what: "report" });
    await stopServer(child);
    return rowsOf(after, (after.cpuMs - before.cpuMs) / (seconds * 1000), seconds);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(report: HostReport, share: number, seconds: number): Row[] {
  const ms = (name: string, value: number): Row => ({ name, value, unit: "ms" });
  const within = (budget: number, name: string, value: number): Row => ({
    name: `budget of ${budget} ms / ${name}`,
    value,
    unit: "ms",
    ratio: budget / value,
    floor: 1,
  });
  return [
    within(10, "processor time of the host's loop in one go, 99 of 100", report.pieceP99Ms),
    ms("the same, 999 of 1,000", report.pieceP999Ms),
    within(25, "the same, the longest", report.pieceMaxMs),
    ms("loop delay of the host, 99 of 100", report.delayP99Ms),
    ms("loop delay of the host, the longest", report.delayMaxMs),
    { name: "share of a core that the host's loop takes", value: share * 100, unit: "%" },
    {
      name: "jobs ended / asked for",
      value: report.jobs,
      unit: "jobs",
      ratio: report.jobs / (RATES.run_event * seconds),
    },
  ];
}
