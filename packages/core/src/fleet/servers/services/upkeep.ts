import type { Cradle } from "../../../kernel/container.ts";
import type { Following } from "../../../kernel/nodes/following.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import type { Grouping } from "../rules/joining/connect.ts";
import type { ServerRegistry } from "../service.ts";
import type { Announcements } from "./connections/announcements.ts";
import type { Links } from "./connections/links.ts";
import { createRegroup, type Regroup } from "./groups/regroup.ts";
import type { KeyedQueue } from "./keyed-queue.ts";
import type { Fleet } from "./known/fleet.ts";
import type { Far } from "./known/lookup.ts";
import { createNeighbours } from "./known/neighbours.ts";
import { createMidnight } from "./midnight.ts";
import { createRemovals } from "./removal/removals.ts";
import { createServerRetention } from "./removal/retention.ts";

/** Changes to servers that the engine initiates, other than by their connections and messages. */
export interface ServerUpkeep
  extends Pick<
    ServerRegistry,
    | (
        | "announceChecks"
        | "announcePlugins"
        | "announceCommands"
        | "renewTokens"
        | "follow"
        | "forgetAtMidnight"
        | "maintain"
      )
    | ("regroup" | "matches" | "stored" | "refresh" | "close" | "expectRemoval" | "departed" | "remove" | "forget")
  > {
  unfollow(): void;
}

interface Parts {
  readonly fleet: Fleet;
  readonly queue: KeyedQueue;
  readonly announcements: Announcements;
  readonly far: Far;
  readonly grouping: () => Grouping;
  readonly end: Links["close"];
}

/** Most servers whose groups are stored concurrently. */
const AT_ONCE = 32;

type Deps = Pick<
  Cradle,
  | ("agentKeys" | "alerts" | "clock" | "config" | "monitors" | "servers" | "snapshot" | "snapshots" | "state")
  | ("storage" | "transact")
>;

export function createServerUpkeep(deps: Deps, parts: Parts): ServerUpkeep {
  const { fleet, queue, grouping, end } = parts;
  const stopping = new AbortController();
  const one = createRegroup(deps, parts);
  const refresh = (id: string): Promise<void> =>
    one.wasStored(id) || !fleet.known(id) ? Promise.resolve() : queue.run(id, () => one.refresh(id));
  const close: ServerRegistry["close"] = (id, reason, socket) => {
    const { connection } = fleet.entry(id) ?? {};
    if (connection && (socket === undefined || connection.link.id === socket)) end(connection, reason);
  };
  const neighbours = createNeighbours(deps, {
    changed: (id) => void refresh(id),
    removed(id) {
      close(id, "The server was deleted.");
      fleet.removed(id);
    },
    missed() {
      for (const { server } of fleet.entries()) void refresh(server.id);
    },
  });
  return {
    regroup: createRegroupAll(deps, parts, one, stopping.signal),
    matches: grouping().test,
    stored: one.stored,
    refresh,
    close,
    ...createRemovals(deps, { fleet, queue, close }),
    forgetAtMidnight: createMidnight(deps, fleet.forgetRecent),
    maintain: createServerRetention(deps),
    ...announcing(deps, parts),
    ...following(neighbours, parts, stopping),
  };
}

/** Serialised with other tasks for these servers, which may be about to be admitted. */
function createRegroupAll(
  { clock }: Deps,
  { fleet, queue }: Parts,
  one: Regroup,
  stopping: AbortSignal,
): ServerRegistry["regroup"] {
  const regroup = (ids: readonly string[]): Promise<unknown> =>
    Promise.all(ids.map((id) => queue.run(id, () => one.regroup(id))));
  return async (only) => {
    if (only) return void (await regroup(only));
    const breathe = createBreath(clock, stopping);
    const waiting: string[] = [];
    for (const id of fleet.entries().map(({ server }) => server.id)) {
      await breathe();
      if (one.differs(id)) waiting.push(id);
      if (waiting.length === AT_ONCE) await regroup(waiting.splice(0));
    }
    await regroup(waiting);
  };
}

const announcing = (
  { agentKeys }: Pick<Cradle, "agentKeys">,
  { announcements, fleet }: Parts,
): Pick<ServerUpkeep, "announceChecks" | "announcePlugins" | "announceCommands" | "renewTokens"> => ({
  announceChecks(id) {
    const entry = fleet.entry(id);
    if (entry) announcements.commands(entry);
  },
  announcePlugins: announcements.changedPlugins,
  announceCommands: announcements.changedCommands,
  renewTokens: () => announcements.tokens((id) => agentKeys.serverToken(id)),
});

const following = (
  neighbours: Following,
  { announcements: { waysBack }, far }: Parts,
  stopping: AbortController,
): Pick<ServerUpkeep, "follow" | "unfollow"> => ({
  async follow() {
    await neighbours.begin();
    waysBack.begin();
    far.facts.begin();
    far.minutes.begin();
  },
  unfollow() {
    stopping.abort();
    neighbours.end();
    waysBack.end();
    far.facts.end();
    far.minutes.end();
  },
});
