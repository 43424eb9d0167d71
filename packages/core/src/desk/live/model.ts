import * as z from "zod";
import { object } from "../../wire/schemas/objects.ts";

const id = z.string();

/**
 * A change of a record, without the content, which is read when the change is sent. It must be small, since it goes to other
 * nodes and is kept for subscribers that reconnect.
 */
export const Change = z.discriminatedUnion("kind", [
  /** A list of definitions. */
  object(() => ({ kind: z.literal("list"), list: z.string() })),
  object(() => ({ kind: z.literal("key"), id })),
  /** `id` is the key of the account's record. */
  object(() => ({ kind: z.literal("user"), id })),
  /** A key of the global state. */
  object(() => ({ kind: z.literal("state") })),
  /** Invocations fired, were acknowledged, or cleared. */
  object(() => ({ kind: z.literal("alerts") })),
  /** Problems opened or ended, or a notice about one was decided or soon will be. */
  object(() => ({ kind: z.literal("notices") })),
  /** `online`: whether the server is connected to the node that noticed the change. */
  object(() => ({ kind: z.literal("server"), id, online: z.boolean() })),
  /** A running job, or a final job that was modified. */
  object(() => ({ kind: z.literal("job"), id })),
  object(() => ({ kind: z.literal("completed"), id })),
  /** Jobs started or ended. */
  object(() => ({ kind: z.literal("jobs") })),
  object(() => ({ kind: z.literal("ticket"), id, by: z.string(), category: z.string() })),
  object(() => ({ kind: z.literal("activity"), id })),
  /** Sessions of an account ended. */
  object(() => ({ kind: z.literal("session"), user: z.string() })),
  /** A deletion of many records in the background has ended. */
  object(() => ({ kind: z.literal("bulk"), list: z.string() })),
  /** Work in the background has ended; `id` is the id that its caller was given. */
  object(() => ({ kind: z.literal("internal"), id })),
  /** A message for the named users; absent = all users. */
  object(() => ({
    kind: z.literal("notify"),
    users: z.array(z.string()).optional(),
    data: z.record(z.string(), z.unknown()),
  })),
]);
export type Change = z.infer<typeof Change>;

/** One command of the channel (docs/contract/live.md#the-channel): `cmd` is the name of the event on the wire. */
export interface LiveUpdate {
  readonly cmd: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Id to resume with after this update (`Last-Event-ID`); absent on updates that are no point to resume from. */
  readonly id?: string;
}
