import * as z from "zod";
import { checkCommonParameters } from "./fields/common.ts";
import { MAX_ITEMS } from "./fields/fields.ts";
import { stampFields } from "./fields/stamps.ts";
import { describeIssue, exactly } from "./issues.ts";
import { type Known, knowing, knownOf, withMembers } from "./schemas/known-members.ts";

/** See docs/contract/records.md#order-of-lists. */
const NO_ITEMS = "Request missing 'items' parameter, or has zero length.";

/** The `items` of a multi-update: each must pass the common checks and the update schema of its type. */
export function itemsOf<T extends z.ZodType>(item: T): z.ZodType<z.output<T>[], readonly z.input<T>[]> {
  const schema = z
    .unknown()
    .transform((value, context): z.output<T>[] => {
      const refuse = (text: string): never => {
        context.addIssue({ code: "custom", message: exactly(text) });
        return z.NEVER;
      };
      if (!Array.isArray(value) || value.length === 0) return refuse(NO_ITEMS);
      // Strangers can send 6,000 in 64 KB, and each one is parsed before the caller is identified.
      if (value.length > MAX_ITEMS) return refuse(`Malformed parameter: items (at most ${MAX_ITEMS})`);
      const items: z.output<T>[] = [];
      for (const raw of value) {
        const sent = checkCommonParameters(raw);
        const result = item.safeParse(sent);
        // Keeps the order in which members were sent, because the activity log lists them in it.
        if (result.success) items.push(Object.assign(sent, result.data));
        else return refuse(describeFirst(result.error, sent));
      }
      return items;
    })
    .meta({ type: "array", minItems: 1, maxItems: MAX_ITEMS, items: { type: "object" } });
  return knowing(schema, { items: knownItem(item) }) as never;
}

/** Server-owned members are ignored, as in any update. */
const knownItem = (item: z.ZodType): Known => withMembers(knownOf(item), Object.keys(stampFields));

function describeFirst({ issues: [issue] }: z.ZodError, sent: Readonly<Record<string, unknown>>): string {
  return issue ? describeIssue(issue, sent) : NO_ITEMS;
}
