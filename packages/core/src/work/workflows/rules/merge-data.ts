type Members = Readonly<Record<string, unknown>>;

/**
 * Members of the second over those of the first; where both are lists, one behind the other
 * (docs/contract/workflows.md#data).
 */
export function mergeData(first: Members, second: Members | undefined): Members {
  if (!second) return first;
  const merged = Object.entries(second).map(([name, value]) => {
    const before = Object.hasOwn(first, name) ? first[name] : undefined;
    return [
      name,
      Array.isArray(before) && Array.isArray(value) ? [...(before as unknown[]), ...(value as unknown[])] : value,
    ];
  });
  return Object.fromEntries([...Object.entries(first), ...(merged as [string, unknown][])]);
}
