/**
 * True when the event belongs to the category or its workflow runs a job in it (docs/contract/categories.md#in-use).
 */
export function usesCategory(event: Readonly<Record<string, unknown>>, id: string): boolean {
  if (event["category"] === id) return true;
  const nodes = memberOf(event["workflow"], "nodes");
  return Array.isArray(nodes) && nodes.some((node) => memberOf(memberOf(node, "data"), "category") === id);
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[member] : undefined;
}
