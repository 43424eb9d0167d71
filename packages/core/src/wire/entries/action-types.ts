import * as z from "zod";
import { Flag } from "../fields/fields.ts";
import { looseObject, object } from "../schemas/objects.ts";

/** Condition under which an action runs (docs/contract/actions.md#conditions). */
const condition = z.union([
  z.enum([
    "start",
    "complete",
    "success",
    "error",
    "warning",
    "critical",
    "user",
    "abort",
    "alert_new",
    "alert_cleared",
  ]),
  z.templateLiteral(["tag:", z.string()]),
]);

/** An id of letters, digits and `_`. */
const id = z.string().regex(/^\w+$/);
const texts = z.array(z.string());
const params = z.record(z.string(), z.unknown());

const of = <Type extends string, Members extends z.ZodRawShape>(type: Type, members: Members) =>
  object(() => ({ enabled: Flag, condition, type: z.literal(type), hidden: Flag.optional(), ...members }));

/** Scope of an alert's message or ticket: one per problem, or one per server. Other systems do not know it. */
const per = z.enum(["problem", "subject"]).optional();

const bucket = () => ({
  bucket_id: id,
  bucket_sync: z.enum(["data", "files", "data_and_files"]),
  bucket_glob: z.string().optional(),
});

const ticket = () => ({
  ticket_type: z.string(),
  ticket_assignees: texts,
  ticket_tags: texts,
  ticket_due: z.union([z.string(), z.number()]).nullish().describe("A time, or a span such as `3 days`."),
  reuse: z
    .enum(["", "open", "new"])
    .optional()
    .describe("Whether a repeat goes into the open ticket; absent = yes of alerts, no of jobs. Ours."),
  close_on_clear: Flag.optional(),
  per,
});

/** The members of an action by its type (docs/contract/actions.md#record). Built on demand: a start does not need it. */
export const actionSchema = () =>
  z.union([
    z.discriminatedUnion("type", [
      of("email", { users: texts.optional(), email: z.string().optional(), body: z.string().optional(), per }),
      of("web_hook", { web_hook: id, text: z.string().optional(), per }),
      of("run_event", {
        event_id: id,
        params: params.optional(),
        start_delay: z.number().optional().describe("Seconds."),
        target_server: Flag.optional().describe("Of alerts: runs on the server of the alert."),
        clear_alert: Flag.optional().describe("Of alerts: the alert is cleared when the job ends."),
      }),
      of("channel", { channel_id: id, per }),
      of("store", bucket()),
      of("fetch", bucket()),
      of("ticket", ticket()),
      of("tag", { tags: texts }),
      of("label", { label: z.string() }),
      of("plugin", { plugin_id: id, params: params.optional() }),
      of("snapshot", {}),
      of("suspend", {
        users: texts.optional(),
        email: z.string().optional(),
        body: z.string().optional(),
        web_hook: id.optional(),
        text: z.string().optional(),
        sources: texts.optional(),
      }),
      of("disable", {}),
      of("delete", {}),
    ]),
    looseObject(() => ({ enabled: Flag, condition, type: z.templateLiteral([z.string(), ".", z.string()]) })).describe(
      "Of a type that a plugin of the host brought.",
    ),
  ]);

/** An action as written by people; its type decides which members there are. */
export type ActionInput = z.input<ReturnType<typeof actionSchema>>;
/** Actions as written by people; a named type, because declarations would otherwise repeat all types of actions. */
export interface ActionInputs extends ReadonlyArray<ActionInput> {}
