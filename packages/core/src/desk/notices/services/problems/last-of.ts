import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { problemCollection } from "../../collection.ts";
import type { LastInHour } from "../../rules/delivery/last-in-hour.ts";
import { lastInHour, type Usage } from "../../rules/delivery/rate.ts";
import { isFree } from "../../rules/problem/facts.ts";
import { receiverOf } from "../receivers/receiver-of.ts";

/** Number of live firings without a hold, over all problems, that the receiver was not notified of. */
async function waitingFor(tx: ReadTx, receiver: string): Promise<number> {
  const { rows } = await tx.collection(problemCollection).find(hasWord("state", "open"));
  const members = rows.flatMap((problem) => (problem.sides[receiver] ? problem.members : []));
  const waiting = members.filter((member) => isFree(member) && member.told[receiver] === undefined);
  return new Set(waiting.map(({ invocation }) => invocation)).size;
}

interface Asked {
  /** Id. */
  readonly receiver: string;
  readonly usage: Usage;
}

/** Answers the hourly bound if the next notice is the last one that the receiver may get within an hour. */
export async function lastOf(
  tx: ReadTx,
  deps: Pick<Cradle, "alerts" | "definitions">,
  { receiver, usage }: Asked,
): Promise<LastInHour | undefined> {
  const last = lastInHour(receiverOf(deps, receiver), usage);
  return last && { ...last, waiting: await waitingFor(tx, receiver) };
}
