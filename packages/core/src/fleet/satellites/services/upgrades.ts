import type { Cradle } from "../../../kernel/container.ts";
import { pause } from "../../../kernel/loops.ts";

/** One round of telling agents to renew themselves. */
export interface UpgradeRound {
  /** Server ids. */
  readonly servers: readonly string[];
  /** Release to fetch; undefined = the one of the configuration. */
  readonly release: string | undefined;
  readonly staggerSec: number;
}

/** Tells agents one by one to upgrade; one round at a time. */
export interface Upgrades {
  /** False when a round is under way. */
  start(round: UpgradeRound): boolean;
  isRunning(): boolean;
  /** The release that a server was told to fetch last. */
  releaseFor(server: string): string | undefined;
  /** Ends the round and waits for it. */
  stop(): Promise<void>;
}

/** Agents fetch their package when no job runs, which may be hours later. */
const MAX_REMEMBERED = 10_000;

type Deps = Pick<Cradle, "clock" | "log" | "servers">;

export function createUpgrades(deps: Deps): Upgrades {
  const { clock, log } = deps;
  const stopping = new AbortController();
  const releases = new Map<string, string>();
  let running: Promise<void> | undefined;

  function remember(server: string, release: string | undefined): void {
    releases.delete(server);
    const [oldest] = releases.keys();
    if (releases.size >= MAX_REMEMBERED && oldest !== undefined) releases.delete(oldest);
    if (release !== undefined) releases.set(server, release);
  }

  function tell(server: string, release: string | undefined): void {
    try {
      remember(server, release);
      if (!deps.servers.send(server, { cmd: "upgrade", data: {} }))
        log.warn({ server }, "A server left before it was told to upgrade");
    } catch (error) {
      log.error({ server, error }, "A server could not be told to upgrade");
    }
  }

  async function run({ servers, release, staggerSec }: UpgradeRound): Promise<void> {
    for (const [index, server] of servers.entries()) {
      if (index > 0) await pause(clock, staggerSec * 1000, stopping.signal);
      if (stopping.signal.aborted) return;
      tell(server, release);
    }
    log.info({ servers: servers.length, release }, "All servers were told to upgrade");
  }

  return {
    start(round) {
      if (running || stopping.signal.aborted) return false;
      running = run(round).finally(() => {
        running = undefined;
      });
      return true;
    },
    isRunning: () => running !== undefined,
    releaseFor: (server) => releases.get(server),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
