import type { Cradle } from "../../../kernel/container.ts";
import { NotFoundError } from "../../../kernel/errors.ts";
import { serverCollection } from "../collection.ts";
import type { Server } from "../model.ts";
import { withGroups } from "../rules/connect.ts";
import type { Announcements } from "./announcements.ts";
import type { Fleet } from "./fleet.ts";
import { createGrouping } from "./grouping.ts";

/** Works out the groups of one connected server anew (part 21 §3.3): stores them and tells the agent. */
export type Regroup = (id: string) => Promise<void>;

export function createRegroup(cradle: Cradle, fleet: Fleet, announcements: Announcements): Regroup {
  const grouping = createGrouping(cradle);
  return async (id) => {
    const entry = fleet.entry(id);
    if (!entry) return;
    const next = withGroups(entry.server, grouping());
    if (hasSameGroups(entry.server, next)) return;
    const { groups, autoGroup, keywords } = next;
    await cradle.transact(async ({ tx, emit }) => {
      try {
        const change = (stored: Server): Server => ({
          ...stored,
          groups,
          autoGroup,
          ...(keywords ? { keywords } : {}),
        });
        await tx.collection(serverCollection).update(id, change);
      } catch (error) {
        // Deleted while it is connected: the next connect records it anew.
        if (!(error instanceof NotFoundError)) throw error;
      }
      emit("server.updated", { id });
    });
    entry.server = { ...entry.server, groups, autoGroup, ...(keywords ? { keywords } : {}) };
    announcements.groups(entry);
  };
}

const hasSameGroups = (before: Server, after: Server): boolean =>
  before.groups.join() === after.groups.join() && before.autoGroup === after.autoGroup;
