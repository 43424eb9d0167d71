import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { NodeMessage } from "../../../ports/nodes/coordination.ts";
import { Change } from "../model.ts";
import { isOwnNews, packChanges } from "../rules/changes.ts";
import { Connected } from "./presence.ts";

const LIVE_MESSAGE = "live.changes";
const END_MESSAGE = "live.end";
const CONNECTED_MESSAGE = "live.connected";
const Message = z.array(Change);

/** Handlers for messages from other nodes. */
export interface Hearing {
  /** Changes that they noticed. */
  take(changes: readonly Change[]): void;
  /** Messages may have been lost. */
  gap(): void;
  /** Open streams must end. */
  ended(): void;
  /** People are connected to another node. */
  connected(news: Connected): void;
}

/** Exchanges changes between nodes. */
export interface Relay {
  begin(hearing: Hearing): Promise<void>;
  /** Sends changes that this node noticed to the other nodes. */
  send(changes: readonly Change[]): Promise<void>;
  /** Notifies the other nodes that open streams must end. */
  sendEnd(): Promise<void>;
  sendConnected(news: Connected): Promise<void>;
  end(): void;
}

/** Passes on a message from another node; one of a newer release may be unknown here. */
function hear({ type, payload }: NodeMessage, { take, ended, connected }: Hearing, log: Logger): void {
  const known = <S extends z.ZodType>(schema: S, use: (said: z.infer<S>) => void): void => {
    const said = schema.safeParse(payload);
    if (said.success) use(said.data);
    else log.warn({ error: said.error }, "Another node speaks of changes that this one does not know");
  };
  if (type === END_MESSAGE) ended();
  if (type === CONNECTED_MESSAGE) known(Connected, connected);
  if (type === LIVE_MESSAGE) known(Message, take);
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
    async begin(hearing) {
      subscription = await coordination.subscribe((message) => hear(message, hearing, log), hearing.gap);
    },
    send: (changes) => tell(LIVE_MESSAGE, coordination.shared ? packChanges(changes.filter(isOwnNews)) : []),
    sendEnd: () => tell(END_MESSAGE, [null]),
    sendConnected: (news) => tell(CONNECTED_MESSAGE, [news]),
    end() {
      subscription?.[Symbol.dispose]();
      subscription = undefined;
    },
  };
}
