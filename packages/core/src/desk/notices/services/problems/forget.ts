import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import type { Loop } from "../../../../kernel/running/loops.ts";
import type { CollectionDefinition, StoredRecord } from "../../../../ports/storage/collection.ts";
import { below, hasWord, type SearchNode } from "../../../../search/ast.ts";
import { walk } from "../../../../search/beyond.ts";
import { decisionCollection, noticeCollection, problemCollection } from "../../collection.ts";
import type { Notice } from "../../model.ts";
import { forgetKeys } from "../receivers/receiver-keys.ts";
import { readOpenProblems } from "./open-problems.ts";

const DAY_SEC = 86_400;
const PAGE = 200;
/** Maximum notices to keep, whatever their age. */
const MAX_NOTICES = 200_000;

/**
 * Deletes old notices, problems and decisions. Open problems stay, together with their notices: the end of a problem goes to the
 * same place and thread as its first notice.
 */
export const forgetOld: Loop["run"] = async (now, cradle, signal) => {
  const before = now - cradle.config.notices.keep_days * DAY_SEC;
  const { ids: open } = await readOpenProblems(cradle);
  const ofOpen = ({ problem }: Notice): boolean => open.has(problem);
  const isYoung = (end: number | null): boolean => end === null || end >= before;
  await forget(cradle, { collection: noticeCollection, by: "date", before, stays: ofOpen }, signal);
  await forget(
    cradle,
    { collection: decisionCollection, by: "from", before, stays: ({ to, from }) => isYoung(to ?? from) },
    signal,
  );
  await forget(
    cradle,
    { collection: problemCollection, by: "opened", before, stays: (problem) => isYoung(problem.closed) },
    signal,
  );
  await forgetExcess(cradle, MAX_NOTICES, signal);
  await forgetKeys(cradle);
};

type Deps = Pick<Cradle, "clock" | "snapshot" | "transact">;

interface Old<T extends StoredRecord> {
  readonly collection: CollectionDefinition<T>;
  /** Name of the column with times in Unix seconds, the unit of `before`. */
  readonly by: string;
  readonly before: number;
  stays(record: T): boolean;
}

async function forget<T extends StoredRecord>(
  deps: Deps,
  { collection, by: sortBy, before, stays }: Old<T>,
  signal: AbortSignal,
): Promise<void> {
  const breathe = createBreath(deps.clock, signal);
  const where = below(sortBy, before);
  const pages = walk({ collection, where, order: { sortBy, descending: false }, limit: () => PAGE }, (node, page) =>
    deps.snapshot((tx) => tx.collection(collection).find(node, { ...page, uncounted: true })),
  );
  for await (const { rows } of pages) {
    if (signal.aborted) return;
    const old = rows.filter((row) => !stays(row)).map(({ id }) => id);
    if (old.length > 0) await deps.transact(({ tx }) => tx.collection(collection).deleteMany(old));
    await breathe();
  }
}

/** Deletes the oldest notices beyond `most`, but none that is still to be sent. */
export async function forgetExcess(deps: Deps, most: number, signal: AbortSignal): Promise<void> {
  const done: SearchNode = { kind: "not", node: hasWord("outcome", "pending") };
  const breathe = createBreath(deps.clock, signal);
  while (!signal.aborted) {
    const page = { sortBy: "date", limit: PAGE };
    const { rows, total } = await deps.snapshot((tx) => tx.collection(noticeCollection).find(done, page));
    const old = rows.slice(0, Math.max(0, total - most));
    if (old.length === 0) return;
    await deps.transact(async ({ tx }) => {
      for (const { id } of old) await tx.collection(noticeCollection).delete(id);
    });
    await breathe();
  }
}
