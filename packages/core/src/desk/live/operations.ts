import * as z from "zod";
import { credentials, defineStream, type Operation, type StreamResult } from "../../kernel/calls/operation.ts";
import { looseObject } from "../../wire/schemas/objects.ts";
import type { LiveUpdate } from "./model.ts";
import { MAX_PAGES, pagesOf } from "./rules/page.ts";

/** The stream of updates: as bytes for transports, as commands for programs in this process. Only one of them may be read. */
export interface UpdateStream extends StreamResult {
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends with the engine or the caller's rights, when it is read too slowly, and when the loop over it exits. */
  readonly updates: AsyncIterableIterator<LiveUpdate>;
}

const Input = looseObject(() => ({
  loc: z
    .string()
    .max(4000)
    .refine((loc) => pagesOf(loc).length <= MAX_PAGES, `At most ${MAX_PAGES} pages can be followed at a time.`)
    .optional()
    .describe("Pages that the caller looks at, one a line, for what concerns one page: `Job?id=j1`."),
  last_event_id: z.string().max(100).optional().describe("In place of the header `Last-Event-ID`."),
}));

/** The same updates as on the channel of pages, as server-sent events named by `cmd` (docs/contract/live.md#the-channel). */
export const streamUpdates = defineStream({
  name: "stream_updates",
  summary: "Follow all changes that the caller may see, as server-sent events that can be resumed.",
  access: credentials,
  input: Input,
  async handler({ loc, last_event_id }, { actor, client, services, signal }): Promise<UpdateStream> {
    const lastId = last_event_id ?? client.headers["last-event-id"];
    const { outbox } = await services.live.listen({ actor, pages: pagesOf(loc), lastId, signal });
    return {
      contentType: "text/event-stream",
      headers: { "Cache-Control": "no-cache", "X-Accel-Buffering": "no" },
      body: outbox.body(),
      updates: outbox.updates(),
    };
  },
}) as Operation<"stream_updates", typeof Input, z.ZodType<UpdateStream>>;
