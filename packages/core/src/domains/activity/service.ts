import type { Actor, Client } from "../../kernel/context.ts";
import type { EventBus } from "../../kernel/event-bus.ts";
import type { Clock } from "../../ports/clock.ts";
import type { IdGenerator } from "../../ports/ids.ts";
import type { WriteTx } from "../../ports/storage.ts";
import type { Services } from "../../services.ts";
import { isCausedByHook } from "../hooks/rules/cause.ts";
import { activityCollection } from "./collection.ts";
import { type ActivityEntry, buildActivity } from "./rules/row.ts";

/** Writes the audit log in the transaction of the change it tells of. */
export interface ActivityLog {
  write(tx: WriteTx, entry: ActivityEntry, actor: Actor, client: Client): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Absent = nobody is told. */
  readonly hooks?: Services["hooks"];
  /** Likewise. */
  readonly events?: EventBus;
}

export function createActivityLog({ clock, ids, hooks, events }: Deps): ActivityLog {
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
      const row = buildActivity(entry, origin);
      await tx.collection(activityCollection).insert(row);
      tx.afterCommit(() => events?.emit("activity.logged", { id: row.id, action: row.action }));
      if (!isCausedByHook(entry.detail)) await hooks?.noteActivity(tx, row);
    },
  };
}
