import { chainFault } from "../../../../lib/dependency-chain.ts";
import type { Alert } from "../../model.ts";

type Related = Pick<Alert, "id" | "depends_on" | "inhibits">;

/**
 * The sentence with which a definition is refused because of its relations to others; undefined when it can be stored.
 * Relations that it already had (`stored`) may name alerts deleted since: they have no effect, and must not block other
 * changes.
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
