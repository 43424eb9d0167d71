import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import type { Loop } from "../../../../kernel/running/loops.ts";
import { pagesById } from "../../../../kernel/searches/pages-by-id.ts";
import { allOf, below, hasWord, type SearchNode } from "../../../../search/ast.ts";
import { decisionCollection, noticeCollection, problemCollection } from "../../collection.ts";
import { forgetKeys } from "../receivers/receiver-keys.ts";

const DAY_SEC = 86_400;
const PAGE = 200;
/** Most notices that are kept, also of young ones. */
const MAX_NOTICES = 200_000;

const closed = hasWord("state", "closed");

/** Forgets notices, problems and decisions that say why people were told long ago; problems that are open stay. */
export const forgetOld: Loop["run"] = async (now, cradle, signal) => {
  const before = now - cradle.config.notices.keep_days * DAY_SEC;
  await forgetRows(cradle, { collection: noticeCollection, where: below("date", before) }, signal);
  await forgetRows(cradle, { collection: decisionCollection, where: below("from", before) }, signal);
  await forgetProblems(cradle, before, signal);
  await forgetExcess(cradle, MAX_NOTICES, signal);
  await forgetKeys(cradle);
};

type Deps = Pick<Cradle, "clock" | "snapshot" | "transact">;

interface Old {
  readonly collection: typeof noticeCollection | typeof decisionCollection;
  readonly where: SearchNode;
}

async function forgetRows(deps: Deps, { collection: of, where }: Old, signal: AbortSignal): Promise<void> {
  const collection = of as typeof noticeCollection;
  const breathe = createBreath(deps.clock, signal);
  for (let isLast = false; !isLast && !signal.aborted; ) {
    const { rows } = await deps.snapshot((tx) => tx.collection(collection).find(where, { limit: PAGE }));
    await deps.transact(async ({ tx }) => {
      for (const { id } of rows) await tx.collection(collection).delete(id);
    });
    isLast = rows.length < PAGE;
    await breathe();
  }
}

/** Removes problems by the time of their close: told receivers are known for as long after the end. */
async function forgetProblems(deps: Deps, before: number, signal: AbortSignal): Promise<void> {
  const breathe = createBreath(deps.clock, signal);
  const where = allOf([below("opened", before), closed]);
  for await (const rows of pagesById(deps.snapshot, problemCollection, { where, size: PAGE })) {
    if (signal.aborted) return;
    const old = rows.filter((row) => (row.closed ?? before) < before);
    if (old.length > 0)
      await deps.transact(async ({ tx }) => {
        for (const { id } of old) await tx.collection(problemCollection).delete(id);
      });
    await breathe();
  }
}

/** The oldest notices go when there are more than `most`; none that is on its way. */
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
