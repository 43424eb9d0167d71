import * as z from "zod";
import { object } from "../../wire/schemas/objects.ts";

const id = z.string();

/**
 * A change of a record, without its content, which is read when the change is told. Small, for it goes to the other nodes
 * and is kept for subscribers that come back.
 */
export const Change = z.discriminatedUnion("kind", [
  /** A list of definitions. */
  object(() => ({ kind: z.literal("list"), list: z.string() })),
  object(() => ({ kind: z.literal("key"), id })),
  /** `id` is the key of the account. */
  object(() => ({ kind: z.literal("user"), id })),
  /** A key of the global state. */
  object(() => ({ kind: z.literal("state") })),
  /** Invocations fired, were taken over, or cleared. */
  object(() => ({ kind: z.literal("alerts") })),
  /** Problems opened or ended, or a notice about one was decided or is about to be. */
  object(() => ({ kind: z.literal("notices") })),
  /** `online`: whether the server is connected to the node that noticed. */
  object(() => ({ kind: z.literal("server"), id, online: z.boolean() })),
  /** A running job, or a final job that was changed. */
  object(() => ({ kind: z.literal("job"), id })),
  object(() => ({ kind: z.literal("completed"), id })),
  /** Jobs came to the active ones, or left them. */
  object(() => ({ kind: z.literal("jobs") })),
  object(() => ({ kind: z.literal("ticket"), id, by: z.string(), category: z.string() })),
  object(() => ({ kind: z.literal("activity"), id })),
  /** Sessions of an account were ended. */
  object(() => ({ kind: z.literal("session"), user: z.string() })),
  /** A deletion of many records in the background came to its end. */
  object(() => ({ kind: z.literal("bulk"), list: z.string() })),
  /** Work in the background that was answered with this id came to its end. */
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
  /** Id to come back with after this update (`Last-Event-ID`); absent where that would repeat nothing. */
  readonly id?: string;
}
