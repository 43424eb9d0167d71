import type { Cradle } from "../../../../kernel/container.ts";
import { REMOVE_KIND } from "../../rules/departure.ts";
import type { ServerRegistry } from "../../service.ts";
import type { KeyedQueue } from "../keyed-queue.ts";
import type { Fleet } from "../known/fleet.ts";

interface Parts {
  readonly fleet: Fleet;
  readonly queue: KeyedQueue;
  readonly close: ServerRegistry["close"];
}

type Removals = Pick<ServerRegistry, "expectRemoval" | "departed" | "remove" | "forget">;

type Deps = Pick<Cradle, "monitors" | "servers" | "transact">;

/**
 * The part of a deletion that deals with connections (docs/contract/servers.md#removal); for stored records see
 * `services/removal/removal.ts`.
 */
export function createRemovals(deps: Deps, { fleet, queue, close }: Parts): Removals {
  return {
    expectRemoval: fleet.expectRemoval,
    forget: fleet.removed,
    async departed(id) {
      if (!fleet.isToBeRemoved(id) || fleet.entry(id)) return;
      // Replaces the queued item that waits in case no node sees the connection end.
      await deps.transact(({ tx }) => tx.enqueue(REMOVE_KIND, { id }, { key: id }));
    },
    async remove(id, step, { sparesConnected = false } = {}) {
      let failure: unknown;
      await queue.run(id, async () => {
        if (sparesConnected && deps.servers.anywhere(id)) return;
        close(id, "The server was deleted.");
        try {
          // Otherwise a minute that is being stored would write the server's history again.
          await deps.monitors.settled(id);
          await step();
        } catch (error) {
          failure = error;
        }
      });
      if (failure !== undefined) throw failure;
    },
  };
}
