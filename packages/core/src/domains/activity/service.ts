import type { Actor, Client } from "../../kernel/context.ts";
import type { Clock } from "../../ports/clock.ts";
import type { IdGenerator } from "../../ports/ids.ts";
import type { WriteTx } from "../../ports/storage.ts";
import { activityCollection } from "./collection.ts";
import { type ActivityEntry, buildActivity } from "./rules/row.ts";

/** Writes the audit log in the transaction of the change it tells of. */
export interface ActivityLog {
  write(tx: WriteTx, entry: ActivityEntry, actor: Actor, client: Client): Promise<void>;
}

export function createActivityLog({ clock, ids }: { clock: Clock; ids: IdGenerator }): ActivityLog {
  return {
    async write(tx, entry, actor, client) {
      const origin = {
        id: ids.short("a"),
        now: Math.floor(clock.now()),
        username: actor.id,
        ip: client.ip,
        ips: client.ips,
        headers: client.headers,
        userAgent: client.userAgent,
      };
      await tx.collection(activityCollection).insert(buildActivity(entry, origin));
    },
  };
}
