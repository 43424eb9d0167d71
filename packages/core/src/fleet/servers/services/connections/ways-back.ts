import type { Cradle } from "../../../../kernel/container.ts";
import type { KnownNode } from "../../../../kernel/nodes/observation.ts";
import { pause } from "../../../../kernel/running/loops.ts";
import { comeBackHosts } from "../../rules/joining/come-back.ts";
import type { AgentConfig } from "../../rules/joining/joined.ts";
import type { ActiveServer } from "../known/fleet.ts";

/** Tells satellites by which hosts they can reach a node when their connection ends. */
export interface WaysBack {
  /** `reachedBy` = host by which a satellite reached this node. */
  hosts(reachedBy: string | undefined): string[];
  /** The other nodes that accept satellites. */
  others(): readonly KnownNode[];
  /** Configuration that agents get. */
  agentConfig(): AgentConfig;
  /** Starts to tell connected satellites when nodes come and go. */
  begin(): void;
  end(): void;
}

/** Satellites per step, and milliseconds between steps: 500 satellites a second. */
const AT_ONCE = 50;
const PAUSE_MS = 100;

type Deps = Pick<Cradle, "clock" | "config" | "log" | "nodes">;

export function createWaysBack(deps: Deps, targets: () => readonly ActiveServer[]): WaysBack {
  const { nodes } = deps;
  const stopping = new AbortController();
  const hosts = (reachedBy: string | undefined): string[] => hostsFor(deps, reachedBy);
  const tell = createTelling(deps, { targets, hosts, signal: stopping.signal });
  let beats: Disposable | undefined;
  return {
    hosts,
    others: () => otherNodes(deps),
    agentConfig: createAgentConfig(deps),
    begin() {
      let told = keyOf(deps);
      beats = nodes.onBeat(() => {
        const key = keyOf(deps);
        if (key === told) return;
        told = key;
        void tell();
      });
    },
    end() {
      stopping.abort();
      beats?.[Symbol.dispose]();
    },
  };
}

/**
 * Other nodes, but only if this one has a configured host: the host name of a machine may not resolve for satellites in
 * another network.
 */
const otherNodes = ({ config, nodes }: Deps): KnownNode[] =>
  config.cluster.host === undefined
    ? []
    : nodes
        .live()
        .slice(1)
        .filter(({ state, protocol }) => state === "up" && protocol > 0);

const namesOf = (deps: Deps): string[] => otherNodes(deps).map(({ host }) => host);
const isUp = ({ nodes }: Deps): boolean => nodes.live()[0]?.state === "up";
const keyOf = (deps: Deps): string => JSON.stringify([isUp(deps), namesOf(deps).toSorted()]);

function hostsFor(deps: Deps, reachedBy: string | undefined): string[] {
  const { base_app_url, satellite } = deps.config;
  const others = namesOf(deps);
  const own = reachedBy ?? URL.parse(base_app_url)?.hostname ?? "localhost";
  if (others.length === 0) return [satellite.config.host ?? own];
  return comeBackHosts({ own: isUp(deps) ? own : undefined, others });
}

function createAgentConfig(deps: Deps): () => AgentConfig {
  const { satellite } = deps.config;
  const { host, ...members } = satellite.config;
  let hasWarned = false;
  return () => {
    if (host === undefined || otherNodes(deps).length === 0) return satellite;
    if (!hasWarned) deps.log.warn({ host }, "satellite.config.host is not sent: it would keep agents from other nodes");
    hasWarned = true;
    return { ...satellite, config: members };
  };
}

interface Telling {
  readonly targets: () => readonly ActiveServer[];
  readonly hosts: WaysBack["hosts"];
  readonly signal: AbortSignal;
}

/** Runs one round at a time; changes during a round start another one. */
function createTelling({ clock }: Deps, { targets, hosts, signal }: Telling): () => Promise<void> {
  let asked = 0;
  let isTelling = false;
  const tellOne = ({ connection: { link, phase } }: ActiveServer): void => {
    if (phase !== "joined" || link.trusted) return;
    link.send({ cmd: "masterData", data: { masters: hosts(link.reachedBy) } });
  };
  const round = async (): Promise<void> => {
    for (const [at, target] of targets().entries()) {
      if (at > 0 && at % AT_ONCE === 0) await pause(clock, PAUSE_MS, signal);
      if (signal.aborted) return;
      tellOne(target);
    }
  };
  return async () => {
    asked += 1;
    if (isTelling) return;
    isTelling = true;
    for (let done = 0; done !== asked && !signal.aborted; ) {
      done = asked;
      await round();
    }
    isTelling = false;
  };
}
