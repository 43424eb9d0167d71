import * as z from "zod";
import { admin, defineCommand } from "../../../kernel/calls/operation.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { NOTICE_MESSAGE } from "../services/notices.ts";

/** Maximum characters. A message between nodes has at most 8000 bytes, and a character may take four. */
const MAX_MESSAGE = 1500;

export const adminBroadcastMessage = defineCommand({
  name: "admin_broadcast_message",
  summary: "Show a message to all users who are connected now.",
  access: admin,
  input: looseObject(() => ({
    type: z.enum(["info", "warning", "error", "critical"]),
    message: z.string().regex(/\S/).max(MAX_MESSAGE),
    sound: z.string().max(100).optional(),
  })),
  output: Done,
  async handler({ type, message, sound }, { actor, audit, emit, tx }) {
    const notice = { type, message, username: actor.id, ...(sound ? { sound } : {}) };
    audit(type === "info" ? "notice" : type, { description: message, ...(sound ? { sound } : {}) });
    emit("notice.broadcast", notice);
    tx.publish({ type: NOTICE_MESSAGE, payload: notice });
    return {};
  },
});
