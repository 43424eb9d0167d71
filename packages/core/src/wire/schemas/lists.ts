import * as z from "zod";
import { object } from "./objects.ts";

/**
 * The answer of every list operation: `rows`, and in `list.length` the number of matches without paging
 * (docs/contract/requests.md#answers).
 */
export const listOf = <T extends z.ZodType>(row: T) =>
  object(() => ({ rows: z.array(row), list: z.object({ length: z.int() }) }));

export function asList<T>(rows: readonly T[], length = rows.length): { rows: T[]; list: { length: number } } {
  return { rows: [...rows], list: { length } };
}

/** The answer of operations that report only success; the transport adds `code`. */
export const Done = z.object({});

/** Input of operations without parameters. */
export const NoParameters: z.ZodType<Record<string, unknown>, Record<string, never>> = z.looseObject({}) as never;
