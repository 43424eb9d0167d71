/** Records by id. Takes the answer of `getMany` as it is: leaves out the gaps of missing records. */
export function byId<T extends { readonly id: string }>(records: readonly (T | undefined)[]): Map<string, T> {
  const found = new Map<string, T>();
  for (const record of records) if (record) found.set(record.id, record);
  return found;
}
