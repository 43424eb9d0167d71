import { passSeed } from "../../../kernel/definitions/seed.ts";
import type { TransferCaller, TransferList } from "../../../kernel/plugins/transfer.ts";
import type { StoredRecord } from "../../../ports/storage/collection.ts";
import type { TransferDeps } from "../running/deps.ts";
import type { ImportTools } from "./tools.ts";

/**
 * Finishes an import after its last line: removes the list entries that the file left out, and lets other domains update their
 * data about the imported rows.
 */
export async function settleImport(tools: ImportTools, isWhole: boolean): Promise<readonly string[]> {
  const { caller, cradle, lists, rows } = tools;
  const notes: string[] = [];
  for (const [name, { isEmptied, seen, gone }] of lists.states) {
    const list = cradle.registry.transfer.lists.get(name);
    // A file that broke off may not have named all entries that it keeps.
    const isLeaving = (id: string): boolean => !seen.has(id) && (gone.has(id) || (isEmptied && isWhole));
    if (!list) continue;
    notes.push(...(await removeLeft(cradle, { name, list, isLeaving, caller })));
    const note = await list.note?.(cradle);
    if (note !== undefined) notes.push(note);
    // In a store that was never started, the first start must not bring back defaults that people had deleted.
    if (isEmptied && isWhole)
      await cradle.transact(async (unit) => {
        for (const seed of list.seeds ?? [name]) await passSeed(unit, seed);
      });
  }
  for (const [index, ids] of rows) {
    const table = cradle.registry.transfer.tables.get(index);
    await table?.raise?.(cradle);
    await table?.settle?.(cradle, ids);
  }
  return notes;
}

interface Leaving {
  readonly name: string;
  readonly list: TransferList;
  isLeaving(id: string): boolean;
  readonly caller?: TransferCaller;
}

/** Removes records of a list with their companions. Returns messages about the records that had to stay. */
export async function removeLeft(
  { transact }: Pick<TransferDeps, "transact">,
  { name, list, isLeaving, caller }: Leaving,
): Promise<string[]> {
  const stay = await transact(async ({ tx }) => {
    const records: StoredRecord[] = await tx.collection(list.collection).list();
    const leaving = new Set(records.map(({ id }) => id).filter(isLeaving));
    const stays = (await list.mustStay?.(tx, leaving, caller)) ?? [];
    for (const id of stays) leaving.delete(id);
    await list.leaves?.(tx, [...leaving]);
    for (const collection of [list.collection, ...(list.companions ?? [])])
      await tx.collection(collection).deleteMany([...leaving]);
    return stays;
  });
  return stay.length === 0 ? [] : [`Kept in ${name}, so that nobody is locked out: ${stay.join(", ")}`];
}
