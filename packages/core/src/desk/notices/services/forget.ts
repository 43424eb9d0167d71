import { createBreath } from "../../../kernel/breath.ts";
import type { Loop } from "../../../kernel/loops.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { decisionCollection, noticeCollection, problemCollection } from "../collection.ts";

const DAY_SEC = 86_400;
const PAGE = 200;

const olderThan = (field: string, value: number): SearchNode => ({ kind: "compare", field, operator: "lt", value });
const term = (field: string, word: string): SearchNode => ({ kind: "term", field, words: [word] });

/** Forgets notices, problems and decisions that say why people were told long ago; problems that are open stay. */
export const forgetOld: Loop["run"] = async (now, cradle, signal) => {
  const before = now - cradle.config.notices.keep_days * DAY_SEC;
  const old = [
    { collection: noticeCollection, where: olderThan("date", before) },
    { collection: decisionCollection, where: olderThan("from", before) },
    {
      collection: problemCollection,
      where: { kind: "and", nodes: [olderThan("opened", before), term("state", "closed")] } as SearchNode,
    },
  ] as const;
  const breathe = createBreath(cradle.clock, signal);
  for (const { collection, where } of old)
    for (let isLast = false; !isLast && !signal.aborted; ) {
      const { rows } = await cradle.snapshot((tx) =>
        tx.collection(collection as typeof noticeCollection).find(where, { limit: PAGE }),
      );
      await cradle.transact(async ({ tx }) => {
        for (const { id } of rows) await tx.collection(collection as typeof noticeCollection).delete(id);
      });
      isLast = rows.length < PAGE;
      await breathe();
    }
};
