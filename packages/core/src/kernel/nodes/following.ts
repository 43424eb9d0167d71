import type { NodeMessage } from "../../ports/nodes/coordination.ts";
import type { Storage } from "../../ports/storage/storage.ts";

/** Takes the messages of other nodes between its begin and its end. */
export interface Following {
  begin(): Promise<void>;
  end(): void;
}

/** `gap` is called when messages may have been missed. */
export function createFollowing(
  { storage }: { readonly storage: Pick<Storage, "coordination"> },
  take: (message: NodeMessage) => void,
  gap: () => void,
): Following {
  let subscription: Disposable | undefined;
  return {
    async begin() {
      subscription = await storage.coordination.subscribe(take, gap);
    },
    end() {
      subscription?.[Symbol.dispose]();
      subscription = undefined;
    },
  };
}
