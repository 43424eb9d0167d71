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

/** Hears how far the round has come. */
interface Progress {
  readonly signal: AbortSignal;
  progress(share: number): void;
}

/** Tells agents one by one to upgrade. */
export interface Upgrades {
  /** Rejects when the signal ends it. */
  run(round: UpgradeRound, job: Progress): Promise<void>;
  /** The release that a server was told to fetch last. */
  releaseFor(server: string): string | undefined;
}

/** Agents fetch their package when no job runs, which may be hours later. */
const MAX_REMEMBERED = 10_000;

type Deps = Pick<Cradle, "clock" | "log" | "servers">;

export function createUpgrades(deps: Deps): Upgrades {
  const { clock, log } = deps;
  const releases = new Map<string, string>();

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

  return {
    async run({ servers, release, staggerSec }, { progress, signal }) {
      for (const [index, server] of servers.entries()) {
        if (index > 0) await pause(clock, staggerSec * 1000, signal);
        signal.throwIfAborted();
        tell(server, release);
        progress((index + 1) / servers.length);
      }
      log.info({ servers: servers.length, release }, "All servers were told to upgrade");
    },
    releaseFor: (server) => releases.get(server),
  };
}
