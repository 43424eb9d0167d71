import * as z from "zod";
import { type ActionInput, actionSchema } from "../../../wire/entries/action-types.ts";
import { type LimitInput, limitSchema } from "../../../wire/entries/limit-types.ts";
import { Flag } from "../../../wire/fields/fields.ts";
import { object } from "../../../wire/schemas/objects.ts";

const id = z.string().regex(/^\w+$/);
const texts = z.array(z.string());

/** Members of nodes on which jobs run. */
const running = () => ({
  params: z.record(z.string(), z.unknown()).optional(),
  targets: texts.optional().describe("Servers and groups; of an event node in place of the event's."),
  expression: z.string().nullish(),
  algo: z.string().optional(),
  tags: texts.optional(),
  replay: z.string().optional().describe("Ended job that replaces a run."),
});
const names = { label: z.string().optional(), icon: z.string().optional() };
const seconds = z.number().nonnegative().describe("Seconds.");
const percent = z.number().describe("Least percentage of successful jobs that lets `continue` fire.");

const of = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  object(() => ({ id, type: z.literal(type), x: z.number(), y: z.number(), data }));

const controlling = <Kind extends string, Members extends z.ZodRawShape>(kind: Kind, members: Members) =>
  object(() => ({ controller: z.literal(kind), title: z.string().optional(), ...names, ...members }));

const controllers = () =>
  z.discriminatedUnion("controller", [
    controlling("multiplex", { stagger: seconds.optional(), continue: percent.optional() }),
    controlling("repeat", { repeat: z.number().optional(), continue: percent.optional() }),
    controlling("split", {
      split: z.string().describe("Expression of a list."),
      filter: z.string().optional(),
      chunk: z.number().optional(),
      continue: percent.optional(),
    }),
    controlling("join", {}),
    controlling("decision", { decision: z.string().describe("Expression."), abort: Flag.optional() }),
    controlling("wait", { wait: seconds }),
  ]);

type Without<Each, Name extends string> = Each extends unknown ? Omit<Each, Name> : never;
/** Actions of the contract, without actions of plugins, which may have any members. */
type OwnAction = Exclude<ActionInput, { readonly type: `${string}.${string}` }>;
type ActionData =
  | (Without<OwnAction, "condition" | "users"> & { users?: string | string[] | undefined })
  | { enabled: boolean | number; type: `${string}.${string}`; [member: string]: unknown };

/** Actions without their condition, which is a member of the wire; their users may be a text. */
function actionData(): z.ZodType<unknown, ActionData> {
  const [own, brought] = actionSchema().options;
  const users = z.union([texts, z.string()]).optional();
  const options: readonly z.ZodObject[] = own.options;
  const data = options.map((option) => {
    const bare = option.omit({ condition: true });
    return "users" in bare.shape ? bare.extend({ users }) : bare;
  });
  return z.union([...data, brought.omit({ condition: true })]) as never;
}

/**
 * The members of a node by its type (docs/contract/workflows.md#nodes). Created on demand, because it is not needed at startup.
 */
export const nodeSchema = () =>
  z.discriminatedUnion("type", [
    of("trigger", z.object({}).optional()).describe("The id is that of a trigger of the event."),
    of(
      "event",
      object(() => ({ event: id, ...running() })),
    ),
    of(
      "job",
      object(() => ({ plugin: id, category: id.optional(), ...running(), ...names })),
    ),
    of("action", actionData()),
    of("limit", limitSchema() as z.ZodType<unknown, LimitInput>),
    of("controller", controllers()),
    of(
      "note",
      object(() => ({ body: z.string().optional(), wide: Flag.optional(), show: Flag.optional() })).optional(),
    ),
  ]);

/** A wire (docs/contract/workflows.md#connections). */
export const connectionSchema = () =>
  object(() => ({
    id,
    source: id.describe("Id of a node."),
    dest: id.describe("Id of a node."),
    condition: z.string().optional().describe("Of the job of the source; triggers and controllers have none."),
  }));

/** A node as callers write it; its type determines its members. */
export type NodeInput = z.input<ReturnType<typeof nodeSchema>>;
/** A graph as callers write it. An interface, because declaration files would otherwise repeat all types of nodes at each use. */
export interface GraphInput {
  /** Node with which runs begin, instead of a trigger. */
  readonly start?: string | undefined;
  readonly nodes: readonly NodeInput[];
  readonly connections: readonly z.input<ReturnType<typeof connectionSchema>>[];
}
