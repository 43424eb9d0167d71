import { type Caller, mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import { categoryRecords } from "../../../directory/categories/records.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { NotFoundError } from "../../../kernel/errors/errors.ts";
import type { CollectionDefinition } from "../../../ports/storage/collection.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { Subject } from "../model.ts";
import type { Severity } from "../rules/definition/severity.ts";
import type { Watched } from "../rules/definition/subjects.ts";

/** A categorised definition that can be a subject of alerts. */
interface Judgeable {
  id: string;
  readonly title: string;
  readonly enabled?: boolean | number | null | undefined;
  readonly category: string;
  readonly tags?: readonly string[] | null | undefined;
  readonly severity?: Severity | null | undefined;
}

/** Definitions of one kind. "Judged" are those that are enabled and in an enabled category. */
export interface Judged<T> {
  all(): readonly T[];
  judged(): T[];
  /** Judged definitions that a caller may see: all, or the one with this id. Throws when that one cannot be shown. */
  shown(actor: Caller, id?: string): T[];
  countOf(isMeant: (watched: Watched) => boolean): number;
  watchedOf(record: T): Watched;
  /** Reads the storage, so that a definition which another node has just stored counts, too. */
  isCategoryUsed(tx: ReadTx, category: string): Promise<boolean>;
  categoryOf(id: string): string | undefined;
}

/** Most definitions that one call returns. */
const MOST = 1000;

export function createJudged<T extends Judgeable>(
  { definitions }: Pick<Cradle, "definitions">,
  collection: CollectionDefinition<T>,
  type: Subject["type"],
): Judged<T> {
  const all = (): readonly T[] => definitions.all(collection);
  const isJudged = ({ enabled, category }: T): boolean =>
    Boolean(enabled && definitions.get(categoryRecords, category)?.enabled);
  const watchedOf = ({ id, title, category, tags, severity }: T): Watched => ({
    subject: { type, id, title, ...(severity ? { severity } : {}) },
    category,
    tags: tags ?? [],
  });
  return {
    all,
    judged: () => all().filter(isJudged),
    shown(actor, id) {
      if (id === undefined)
        return all()
          .filter((each) => isJudged(each) && mayAccess(actor, { category: each.category }))
          .slice(0, MOST);
      const record = definitions.get(collection, id);
      if (!record) throw new NotFoundError(`Failed to locate ${type}: ${id}`);
      requireAccess(actor, { category: record.category });
      return isJudged(record) ? [record] : [];
    },
    countOf: (isMeant) => all().filter((each) => isJudged(each) && isMeant(watchedOf(each))).length,
    watchedOf,
    isCategoryUsed: async (tx, category) =>
      (await tx.collection(collection).list()).some((each) => each.category === category),
    categoryOf: (id) => definitions.get(collection, id)?.category,
  };
}
