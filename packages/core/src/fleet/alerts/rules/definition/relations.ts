import { chainFault } from "../../../../lib/dependency-chain.ts";
import type { Alert } from "../../model.ts";

type Related = Pick<Alert, "id" | "depends_on" | "inhibits">;

/**
 * The sentence that refuses the relations of a definition to others; undefined when it can be stored. Relations that were
 * `stored` may name alerts that were deleted since: they mean nothing, and must not stand in the way of other changes.
 */
export function relationFault(
  alert: Related,
  find: (id: string) => Related | undefined,
  stored?: Related,
): string | undefined {
  for (const member of ["depends_on", "inhibits"] as const) {
    const unknown = alert[member]?.find((id) => id !== alert.id && !find(id) && !stored?.[member]?.includes(id));
    if (unknown !== undefined) return `Unknown alert in ${member}: ${unknown}`;
  }
  return chainFault(alert.id, (id) => (id === alert.id ? alert : find(id))?.depends_on ?? []);
}
