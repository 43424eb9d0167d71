/** Runs the attacks of parts that share a server, one after another, and measures each. */
import type { Tally } from "../judge/tally.ts";
import type { Figures } from "../server/messages.ts";
import { type AttackedServer, type StartOptions, startServer } from "../server/start.ts";
import type { Attack, Part, Stage } from "./attack.ts";
import type { createFindings } from "./findings.ts";
import { reproduceAll, setStage } from "./stage.ts";
import { warmUp } from "./warm-up.ts";

export interface RunOptions {
  readonly seed: string;
  readonly short: boolean;
  readonly tally: Tally;
  readonly findings: ReturnType<typeof createFindings>;
  readonly start: StartOptions;
  /** Pieces longer than this are reported with the requests under way. */
  readonly pieceMs: Readonly<Record<Attack["by"], number>>;
  say(line: string): void;
}

/** Effects of one attack on the server. */
export interface Measured {
  readonly part: string;
  readonly attack: string;
  readonly by: Attack["by"];
  readonly requests: number;
  readonly seconds: number;
  readonly longestPieceMs: number;
  readonly longestWaitMs: number;
  readonly longestPauseMs: number;
  /** Peak bytes above the idle server. */
  readonly memoryOverIdle: number;
  readonly diskOverIdle: number;
  readonly openFiles: number;
  readonly crashes: readonly string[];
  readonly prototypesHarmed: boolean;
  /** True = the server still answers afterwards, with any status. */
  readonly lives: boolean;
}

interface Running {
  readonly stage: Stage;
  /** Memory and disk used when a part begins. */
  idle: { readonly rss: number; readonly disk: number };
  part: string;
  /** The attack to which long pieces of work are attributed. */
  current: Attack | undefined;
  /** Longest piece of the current attack, kept even when the attack resets its figures. */
  longestPieceMs: number;
}

/** Milliseconds after which an attack counts as hung. */
const MAX_ATTACK_MS = { short: 300_000, long: 600_000 };
const SETTLE_MS = 300;

export async function runParts(parts: readonly Part[], options: RunOptions): Promise<Measured[]> {
  const measured: Measured[] = [];
  let running: Running | undefined;
  for (const part of parts) {
    const attacks = part.attacks.filter(({ short }) => short || !options.short);
    if (running) await begin(running, part);
    for (const attack of attacks) {
      running ??= await open(part, options);
      const row = await measure(attack, running, options);
      measured.push(row);
      options.say(describeRow(row));
      // A server that has crashed or hangs, or was damaged on purpose, is useless for the next attack.
      const isHurt = part.apart === true && !options.short;
      if (isHurt || row.crashes.length > 0 || !row.lives) running = await close(running);
    }
  }
  await close(running);
  return measured;
}

async function open(part: Part, options: RunOptions): Promise<Running> {
  const running: { -readonly [K in keyof Running]?: Running[K] } = {};
  // A finding that arrives after its attack was given up does not belong to the next one.
  const note = (sentence: string, reproduction?: string): void => {
    if (running.part && running.current)
      options.findings.note(running.part, running.current.name, sentence, reproduction);
  };
  const server = await startServer({
    ...options.start,
    config: { ...part.config },
    observer(told) {
      if (told.kind !== "piece" || !running.current || !running.stage) return;
      running.longestPieceMs = Math.max(running.longestPieceMs ?? 0, told.ms);
      if (told.ms <= options.pieceMs[running.current.by]) return;
      note(`a piece of ${told.ms.toFixed(1)} ms`, reproduceAll(running.stage.http.recent()));
    },
  });
  running.stage = await setStage(server, { ...options, note });
  if (!part.apart) await warmUp(running.stage, options);
  await begin(running as Running, part);
  return running as Running;
}

/** Measures the server again, so that what earlier parts used does not count against this one. */
async function begin(running: Running, part: Part): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const { server } = running.stage;
  const figures = await server.figures({ reset: true });
  running.idle = { rss: figures?.rss ?? 0, disk: server.worstDisk() };
  running.part = part.id;
}

async function close(running: Running | undefined): Promise<undefined> {
  running?.stage.http.close();
  await running?.stage.server.stop();
}

async function measure(attack: Attack, running: Running, options: RunOptions): Promise<Measured> {
  const { stage, idle } = running;
  const { server } = stage;
  const before = stage.http.asked();
  await server.figures({ reset: true });
  const begun = performance.now();
  stage.http.forget();
  running.current = attack;
  running.longestPieceMs = 0;
  const isOver = await bounded(attack, stage, options);
  const lives = (await mustLive(stage, attack)) && isOver;
  running.current = undefined;
  const figures = await server.figures({ reset: true });
  return {
    part: running.part,
    attack: attack.name,
    by: attack.by,
    requests: stage.http.asked() - before,
    seconds: (performance.now() - begun) / 1000,
    lives,
    ...ofProcess(figures, server, idle),
    longestPieceMs: Math.max(running.longestPieceMs, figures?.longestPieceMs ?? 0),
  };
}

const ofProcess = (figures: Figures | undefined, server: AttackedServer, idle: Running["idle"]) => ({
  longestPieceMs: figures?.longestPieceMs ?? 0,
  longestWaitMs: figures?.longestWaitMs ?? 0,
  longestPauseMs: figures?.longestPauseMs ?? 0,
  memoryOverIdle: Math.max(0, (figures?.worstRss ?? 0) - idle.rss),
  diskOverIdle: Math.max(0, server.worstDisk() - idle.disk),
  openFiles: server.openFiles() ?? 0,
  crashes: [...server.crashes()],
  prototypesHarmed: figures?.prototypesHarmed ?? false,
});

/** False when the attack was given up. */
async function bounded(attack: Attack, stage: Stage, { short }: RunOptions): Promise<boolean> {
  const ms = short ? MAX_ATTACK_MS.short : MAX_ATTACK_MS.long;
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), ms);
  try {
    const end = await Promise.race([attack.run(stage), late]);
    if (end === "late") stage.wrong(`not over after ${ms / 1000} s`);
    return end !== "late";
  } catch (error) {
    stage.wrong(`the attack ended early: ${(error as Error).message}`);
    return true;
  } finally {
    clearTimeout(timer);
  }
}

/** After every attack the server must answer the next caller; "not now" is allowed where failures were injected. */
async function mustLive(stage: Stage, { injected }: Attack): Promise<boolean> {
  const answer = await stage.http.ask({ path: "/health", fresh: true });
  if (answer.status !== 200 && !(injected && answer.status === 503))
    stage.wrong(`/health answers ${answer.status || (answer.hung ? "nothing" : "with a cut connection")} afterwards`);
  return answer.status !== 0;
}

export function describeRow(row: Measured): string {
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  return [
    `${row.part}: ${row.attack}`,
    `${row.requests} requests in ${row.seconds.toFixed(1)} s`,
    `longest piece ${row.longestPieceMs.toFixed(1)} ms (waited ${row.longestWaitMs.toFixed(1)}, collection ${row.longestPauseMs.toFixed(1)})`,
    `memory +${mb(row.memoryOverIdle)}`,
    `disk +${mb(row.diskOverIdle)}`,
    ...(row.crashes.length > 0 ? [`CRASHED: ${row.crashes.join(" | ").slice(0, 400)}`] : []),
  ].join(", ");
}
