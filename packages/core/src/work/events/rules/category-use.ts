import { membersOf } from "../../../lib/json/is-object.ts";

/**
 * True when the event belongs to the category or its workflow runs a job in it (docs/contract/categories.md#in-use).
 */
export function usesCategory(event: Readonly<Record<string, unknown>>, id: string): boolean {
  if (event["category"] === id) return true;
  const { nodes } = membersOf(event["workflow"]);
  return Array.isArray(nodes) && nodes.some((node) => membersOf(membersOf(node)["data"])["category"] === id);
}
