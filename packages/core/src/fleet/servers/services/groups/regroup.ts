import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { serverCollection } from "../../collection.ts";
import type { Server } from "../../model.ts";
import { type Grouping, withGroups } from "../../rules/joining/connect.ts";
import { CHANGED_MESSAGE } from "../../rules/messages.ts";
import { storedServer } from "../../rules/shown/public.ts";
import type { Announcements } from "../connections/announcements.ts";
import type { Fleet } from "../known/fleet.ts";

/** Keeps connected servers in memory in step with groups and stored records. */
export interface Regroup {
  /**
   * Computes the groups of one connected server again (docs/contract/servers.md#computed-again), stores them and tells
   * the agent.
   */
  regroup(id: string): Promise<void>;
  /** True when the groups of a connected server are outdated. */
  differs(id: string): boolean;
  /** Takes over a record that was just stored, and tells the agent if its groups changed. */
  stored(server: Server): void;
  /** True once after `stored`, so that the in-process event which follows the commit can be skipped. */
  wasStored(id: string): boolean;
  /** Rereads the stored record and takes it over. */
  refresh(id: string): Promise<void>;
}

interface Parts {
  readonly fleet: Fleet;
  readonly announcements: Announcements;
  readonly grouping: () => Grouping;
}

const MAX_READS = 5;

type Deps = Pick<Cradle, "snapshot" | "transact">;

export function createRegroup(deps: Deps, { fleet, announcements, grouping }: Parts): Regroup {
  const fresh = new Set<string>();
  const take = (server: Server): void => {
    const before = fleet.entry(server.id)?.server.groups.join();
    fleet.renew(server);
    const entry = fleet.entry(server.id);
    if (entry && entry.server.groups.join() !== before) announcements.groups(entry);
  };
  const stored: Regroup["stored"] = (server) => {
    take(server);
    if (fleet.known(server.id)) fresh.add(server.id);
  };
  const differs: Regroup["differs"] = (id) => {
    const server = fleet.entry(id)?.server;
    return server !== undefined && !hasSameGroups(server, withGroups(server, grouping()));
  };
  const refresh: Regroup["refresh"] = async (id) => {
    for (let count = 0; count < MAX_READS; count++) {
      const known = fleet.known(id);
      const server = await deps.snapshot((tx) => tx.collection(serverCollection).get(id));
      // Facts that arrived during the read may be newer than the stored ones: read again.
      if (fleet.known(id) !== known) continue;
      if (server) take(server);
      return;
    }
  };
  return {
    stored,
    differs,
    wasStored: (id) => fresh.delete(id),
    refresh,
    async regroup(id) {
      if (!differs(id)) return;
      const info = fleet.entry(id)?.server.info;
      const subject = { id, ...(info ? { info } : {}) };
      await deps.transact((unit) => regroupStored(unit, subject, { grouping: grouping(), stored }));
      // Another writer had already stored it.
      if (differs(id)) await refresh(id);
    },
  };
}

interface Subject {
  readonly id: string;
  /** More recent than the stored facts. */
  readonly info?: Server["info"];
}

/** Stores new groups if they follow from the stored record, which may have changed meanwhile. */
export async function regroupStored(
  { tx, emit }: Unit,
  { id, info }: Subject,
  { grouping, stored: takeOver }: { grouping: Grouping; stored: Regroup["stored"] },
): Promise<void> {
  const servers = tx.collection(serverCollection);
  const stored = await servers.get(id);
  if (!stored) return;
  const { groups, autoGroup, keywords } = withGroups(info ? { ...stored, info } : stored, grouping);
  if (hasSameGroups(stored, { groups, autoGroup })) return;
  const changed = { groups, autoGroup, ...(keywords === undefined ? {} : { keywords }) };
  const server = await servers.update(id, (current) => ({ ...current, ...changed }));
  tx.publish({ type: CHANGED_MESSAGE, payload: { id } });
  tx.afterCommit(() => takeOver(server));
  emit("server.updated", storedServer(server));
}

type Membership = Pick<Server, "groups" | "autoGroup">;

export const hasSameGroups = (before: Membership, after: Membership): boolean =>
  before.groups.join() === after.groups.join() && before.autoGroup === after.autoGroup;
