import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { Change } from "../model.ts";
import { isOwnNews, packChanges } from "../rules/changes.ts";

const LIVE_MESSAGE = "live.changes";
const END_MESSAGE = "live.end";
const Message = z.array(Change);

/** News of other nodes. */
export interface Hearing {
  /** Changes that they noticed. */
  take(changes: readonly Change[]): void;
  /** Some may be lost. */
  gap(): void;
  /** Open streams are to end. */
  ended(): void;
}

/** Carries changes between nodes. */
export interface Relay {
  begin(hearing: Hearing): Promise<void>;
  /** Tells the other nodes of changes that this one noticed. */
  send(changes: readonly Change[]): Promise<void>;
  /** Tells the other nodes that open streams are to end. */
  sendEnd(): Promise<void>;
  end(): void;
}

export function createRelay({ storage, log }: Pick<Cradle, "storage" | "log">): Relay {
  const { coordination } = storage;
  let subscription: Disposable | undefined;
  const tell = async (type: string, payloads: readonly unknown[]): Promise<void> => {
    if (!coordination.shared) return;
    try {
      for (const payload of payloads) await coordination.tell({ type, payload });
    } catch (error) {
      log.warn({ error }, "Other nodes could not be told of changes");
    }
  };
  return {
    async begin({ take, gap, ended }) {
      subscription = await coordination.subscribe(({ type, payload }) => {
        if (type === END_MESSAGE) ended();
        if (type !== LIVE_MESSAGE) return;
        const message = Message.safeParse(payload);
        if (message.success) take(message.data);
        else log.warn({ error: message.error }, "Another node speaks of changes that this one does not know");
      }, gap);
    },
    send: (changes) => tell(LIVE_MESSAGE, coordination.shared ? packChanges(changes.filter(isOwnNews)) : []),
    sendEnd: () => tell(END_MESSAGE, [null]),
    end() {
      subscription?.[Symbol.dispose]();
      subscription = undefined;
    },
  };
}
