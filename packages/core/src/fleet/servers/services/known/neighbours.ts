import type { Cradle } from "../../../../kernel/container.ts";
import { AboutServer, CHANGED_MESSAGE, REMOVED_MESSAGE } from "../../rules/messages.ts";

/** Keeps this node in step with other nodes' writes about the servers that it knows. */
export interface Neighbours {
  begin(): Promise<void>;
  end(): void;
}

interface Reactions {
  readonly changed: (id: string) => void;
  readonly removed: (id: string) => void;
  /** Messages may have been lost. */
  readonly missed: () => void;
}

export function createNeighbours({ storage }: Pick<Cradle, "storage">, reactions: Reactions): Neighbours {
  let subscription: Disposable | undefined;
  return {
    async begin() {
      subscription = await storage.coordination.subscribe(({ type, payload }) => {
        if (type !== CHANGED_MESSAGE && type !== REMOVED_MESSAGE) return;
        const { id } = AboutServer.parse(payload);
        if (type === CHANGED_MESSAGE) reactions.changed(id);
        else reactions.removed(id);
      }, reactions.missed);
    },
    end() {
      subscription?.[Symbol.dispose]();
      subscription = undefined;
    },
  };
}
