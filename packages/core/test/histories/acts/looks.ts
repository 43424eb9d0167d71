import { activityCollection } from "../../../src/directory/activity/collection.ts";
import { localClient } from "../../../src/kernel/calls/context.ts";
import type { Storage } from "../../../src/ports/storage/storage.ts";
import type { Node } from "../nodes.ts";
import { rowsIn } from "../record.ts";

/** All rows that reading could change, as text. */
const dump = (storage: Storage): Promise<string> =>
  storage.read(async (tx) => JSON.stringify([await rowsIn(tx), await tx.collection(activityCollection).list()]));

/** Performs every read that concerns notices; returns the name of each one that changed a row. */
export async function looksThatChange(node: Node, storage: Storage, links: readonly string[]): Promise<string[]> {
  const { api } = node.signalbox;
  const { invocations, notices, problems } = await storage.read(rowsIn);
  const { noticeLinks } = node.cradle();
  const looks: Readonly<Record<string, () => Promise<unknown>>> = {
    search_notices: () => api.searchNotices({ limit: 100 }),
    get_notice: async () => {
      for (const { id } of notices.slice(0, 5)) await api.getNotice({ id });
    },
    get_problems: () => api.getProblems({}),
    get_problem: async () => {
      for (const { id } of problems.slice(0, 5)) await api.getProblem({ id });
    },
    explain_notice: async () => {
      for (const { id } of invocations.slice(0, 10)) await api.explainNotice({ invocation: id, timezone: "UTC" });
    },
    backtest_notices: () => api.backtestNotices({}),
    get_alert_invocations: () => api.getAlertInvocations({ ids: invocations.map(({ id }) => id) }),
    "the link of a notice": async () => {
      for (const link of links.slice(0, 5)) await noticeLinks.look(link, localClient);
    },
  };
  const changed: string[] = [];
  for (const [name, look] of Object.entries(looks)) {
    const before = await dump(storage);
    await look();
    if ((await dump(storage)) !== before) changed.push(name);
  }
  return changed;
}
