import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { object } from "../../../wire/schemas/objects.ts";

/** Type of the message that passes a notice to the other nodes. */
export const NOTICE_MESSAGE = "mail.notice";

const Message = object(() => ({
  type: z.enum(["info", "warning", "error", "critical"]),
  message: z.string(),
  sound: z.string().optional(),
  username: z.string(),
}));

/** Receives messages from administrators on other nodes. */
export interface Notices {
  begin(): Promise<void>;
  end(): void;
}

export function createNotices({ events, log, storage }: Pick<Cradle, "events" | "log" | "storage">): Notices {
  let subscription: Disposable | undefined;
  return {
    async begin() {
      subscription = await storage.coordination.subscribe(
        ({ type, payload }) => {
          if (type === NOTICE_MESSAGE) events.emit("notice.broadcast", Message.parse(payload));
        },
        () => log.debug({}, "Notices of other nodes may have been missed"),
      );
    },
    end() {
      subscription?.[Symbol.dispose]();
      subscription = undefined;
    },
  };
}
