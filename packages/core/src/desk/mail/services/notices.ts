import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { createFollowing, type Following } from "../../../kernel/nodes/following.ts";
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
export const createNotices = (deps: Pick<Cradle, "events" | "log" | "storage">): Following =>
  createFollowing(
    deps,
    ({ type, payload }) => {
      if (type === NOTICE_MESSAGE) deps.events.emit("notice.broadcast", Message.parse(payload));
    },
    () => deps.log.debug({}, "Notices of other nodes may have been missed"),
  );
