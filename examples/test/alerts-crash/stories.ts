import { startAsked } from "../asked-process.ts";
import type { Command, Sight } from "./protocol.ts";
import { startReceiver } from "./receiver.ts";

export interface StoriesReport {
  readonly kills: number;
  readonly minutes: number;
  /** Number of kills by the minute that was being processed. */
  readonly phases: Readonly<Record<string, number>>;
  /** Kills during work: a transition was stored, but not all of its notifications. */
  readonly underWay: number;
  /** Distinct keys that arrived. */
  readonly notifications: number;
  /** Arrivals with a key that had arrived before: a receiver drops them. */
  readonly repeated: number;
  readonly faults: readonly string[];
}

interface Host {
  minute(server: string, temp: number): Promise<void>;
  look(server: string): Promise<Sight>;
  kill(): Promise<void>;
}

async function startHost(env: Readonly<Record<string, string>>): Promise<Host> {
  const { ask, kill } = await startAsked<Command, Sight | undefined>(new URL("host.ts", import.meta.url), env);
  return {
    kill,
    minute: async (server, temp) => void (await ask({ kind: "minute", server, temp })),
    async look(server) {
      const sight = await ask({ kind: "look", server });
      if (!sight) throw new Error("The host did not look");
      return sight;
    },
  };
}

export interface StoriesOptions {
  readonly kills: number;
  /** Storage, as in `SIGNALBOX_STORAGE`. */
  readonly storage: string;
}

/** Minutes until the test gives up waiting for a transition or a notification. */
const PATIENCE = 30;
/** The minutes to kill in: the third minute fires and the eighth clears, where most happens. */
const FATAL = [0, 1, 2, 2, 2, 2, 3, 4, 5, 6, 7, 7, 7, 7, 8];
/** Longest delay of the kill: from before the report is stored until after its notification has left. */
const KILL_WITHIN_MS = 15;
const HOT = 60;
const COLD = 40;

/**
 * Plays one story per kill, each on its own server: it gets hot, stays hot for a while, and cools down. Somewhere in it the host
 * is killed with -9, a few milliseconds after a report was sent, and restarted. In any case the alert must fire once and clear
 * once, each under a single key.
 */
export async function runStories({ kills, storage }: StoriesOptions): Promise<StoriesReport> {
  const receiver = await startReceiver();
  const faults: string[] = [];
  const phases: Record<string, number> = {};
  let minutes = 0;
  let underWay = 0;
  const begin = (): Promise<Host> =>
    startHost({ STORAGE: storage, RECEIVER: receiver.url, SHIFT: String(minutes * 60) });
  let host = await begin();

  /** Reports one minute; `killed`: the host is killed meanwhile and replaced. */
  const report = async (server: string, temp: number, killed: boolean): Promise<void> => {
    minutes++;
    if (!killed) return host.minute(server, temp);
    const pause = new Promise((resolve) => setTimeout(resolve, Math.random() * KILL_WITHIN_MS));
    const lost = host.minute(server, temp).catch(() => undefined);
    await pause;
    await host.kill();
    await lost;
    host = await begin();
    if ((await host.look(server)).open > 0) underWay++;
  };

  const tell = async (server: string): Promise<void> => {
    const fatal = FATAL[Math.floor(Math.random() * FATAL.length)];
    let told = 0;
    const play = async (temp: number, phase: string): Promise<Sight> => {
      const isKilled = told++ === fatal;
      if (isKilled) phases[phase] = (phases[phase] ?? 0) + 1;
      await report(server, temp, isKilled);
      return host.look(server);
    };
    const until = async (temp: number, phase: string, holds: (sight: Sight) => boolean): Promise<Sight> => {
      let sight = await play(temp, phase);
      for (let n = 1; n < PATIENCE && !holds(sight); n++) sight = await play(temp, phase);
      if (!holds(sight)) faults.push(`${server}: ${phase} never ended: ${JSON.stringify(sight)}`);
      return sight;
    };
    await until(HOT, "warming up", ({ invocations }) => invocations.length > 0);
    for (let n = 0; n < 2; n++) await play(HOT, "active");
    await until(COLD, "cooling down", ({ invocations }) => invocations.every(({ active }) => !active));
    const sight = await until(COLD, "over", ({ open, invocations }) => open === 0 && invocations.every(isTold));
    faults.push(...faultsOf(sight, receiver.hits).map((fault) => `${server}: ${fault}`));
  };

  try {
    for (let n = 0; n < kills; n++) await tell(`s${n}`);
  } finally {
    await host.kill();
    await receiver.close();
  }
  const arrivals = [...receiver.hits.values()].reduce((sum, count) => sum + count, 0);
  if (receiver.hits.size !== 2 * kills)
    faults.push(`${receiver.hits.size} different notifications for ${kills} stories`);
  const killed = Object.values(phases).reduce((sum, count) => sum + count, 0);
  const notifications = receiver.hits.size;
  return { kills: killed, minutes, phases, notifications, repeated: arrivals - notifications, underWay, faults };
}

const isTold = ({ codes }: Sight["invocations"][number]): boolean =>
  codes.length === 2 && codes.every((code) => code === 0);

function faultsOf({ invocations, fired, cleared }: Sight, hits: ReadonlyMap<string, number>): string[] {
  const faults: string[] = [];
  if (invocations.length !== 1) faults.push(`${invocations.length} invocations`);
  if (fired !== 1) faults.push(`fired ${fired} times`);
  if (cleared !== 1) faults.push(`cleared ${cleared} times`);
  for (const { id } of invocations)
    for (const condition of ["alert_new", "alert_cleared"])
      if (!hits.has(`${id}:${condition}/0`)) faults.push(`${condition} of ${id} never arrived`);
  return faults;
}
