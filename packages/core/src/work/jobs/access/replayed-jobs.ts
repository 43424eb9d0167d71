import { mayAccess } from "../../../directory/access/require-access.ts";
import type { Services } from "../../../kernel/plugins/services.ts";
import { activeJobCollection, jobCollection } from "../collection.ts";
import { readingOf } from "./rules/restriction.ts";

/** Checks that callers may see the jobs that nodes of a workflow replay (docs/contract/workflows.md#access). */
export const createReplayedJobs = (): Services["replayedJobs"] => ({
  async areVisible(tx, actor, ids) {
    if (ids.length === 0) return true;
    const ended = await tx.collection(jobCollection).getMany(ids);
    const running = await tx.collection(activeJobCollection).getMany(ids);
    return ids.every((_id, index) => {
      const job = ended[index] ?? running[index]?.job;
      return !job || mayAccess(actor, readingOf(job));
    });
  },
});
