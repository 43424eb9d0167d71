import * as z from "zod";
import { Flag } from "../fields/fields.ts";
import { object } from "../schemas/objects.ts";

const number = z.number().nonnegative();
const texts = z.array(z.string());

const of = <Type extends string, Members extends z.ZodRawShape>(type: Type, members: Members) =>
  object(() => ({ enabled: Flag, type: z.literal(type), ...members }));

/** What happens when a running job exceeds a limit. */
const effects = () => ({
  abort: Flag.optional(),
  tags: texts.optional(),
  users: texts.optional(),
  email: z.string().optional(),
  web_hook: z.string().optional(),
  text: z.string().optional(),
  snapshot: Flag.optional(),
});
const duration = number.describe("Seconds.");

/** The members of a limit by its type (docs/contract/limits.md#record). Built on demand: a start does not need it. */
export const limitSchema = () =>
  z.discriminatedUnion("type", [
    of("time", { duration, ...effects() }),
    of("log", { amount: number.describe("Bytes."), ...effects() }),
    of("mem", { amount: number.describe("Bytes."), duration: duration.optional(), ...effects() }),
    of("cpu", { amount: number.describe("Percent of one core."), duration: duration.optional(), ...effects() }),
    of("job", { amount: number, weight: number.optional().describe("Weight on a server.") }),
    of("queue", { amount: number.optional() }),
    of("retry", {
      amount: number.optional(),
      duration: duration.optional(),
      backoff: number.optional(),
      max_delay: duration.optional(),
      jitter: number.optional(),
    }),
    of("file", {
      amount: number.optional(),
      size: number.optional().describe("Bytes in all."),
      accept: z.string().optional().describe("Endings, separated by commas."),
    }),
    of("day", {
      condition: z.enum([
        ...["start", "complete", "continue", "success", "error"],
        ...["user", "warning", "critical", "abort"],
      ] as const),
      amount: number.optional(),
    }),
    of("tag", { amount: number.optional() }),
  ]);

/** A limit as written by people; its type decides which members there are. */
export type LimitInput = z.input<ReturnType<typeof limitSchema>>;
/** Limits as written by people. */
export interface LimitInputs extends ReadonlyArray<LimitInput> {}
