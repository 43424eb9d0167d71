import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { Change } from "../model.ts";
import { isOwnNews, packChanges } from "../rules/changes.ts";

const LIVE_MESSAGE = "live.changes";
const Message = z.array(Change);

/** Carries changes between nodes. */
export interface Relay {
  /** `take` gets the changes that other nodes noticed; `gap` says that some may be lost. */
  begin(take: (changes: readonly Change[]) => void, gap: () => void): Promise<void>;
  /** Tells the other nodes of changes that this one noticed. */
  send(changes: readonly Change[]): Promise<void>;
  end(): void;
}

export function createRelay({ storage, log }: Pick<Cradle, "storage" | "log">): Relay {
  let subscription: Disposable | undefined;
  return {
    async begin(take, gap) {
      subscription = await storage.coordination.subscribe(({ type, payload }) => {
        if (type !== LIVE_MESSAGE) return;
        const message = Message.safeParse(payload);
        if (message.success) take(message.data);
        else log.warn({ error: message.error }, "Another node speaks of changes that this one does not know");
      }, gap);
    },
    async send(changes) {
      if (!storage.coordination.shared) return;
      const packs = packChanges(changes.filter(isOwnNews));
      if (packs.length === 0) return;
      try {
        for (const payload of packs) await storage.coordination.tell({ type: LIVE_MESSAGE, payload });
      } catch (error) {
        log.warn({ error }, "Other nodes could not be told of changes");
      }
    },
    end() {
      subscription?.[Symbol.dispose]();
      subscription = undefined;
    },
  };
}
