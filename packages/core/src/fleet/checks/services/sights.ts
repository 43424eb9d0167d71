import { mayAccess } from "../../../directory/access/require-access.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import type { Judged } from "../../alerts/judged.ts";
import type { Sight } from "../../alerts/rules/subjects.ts";
import type { WatchedSource } from "../../alerts/watched-source.ts";
import { stateCollection } from "../collection.ts";
import type { Check } from "../model.ts";
import { sightOf } from "../rules/judge.ts";
import { ENGINE } from "../rules/network.ts";
import { createEngineSight, type EngineSight } from "./network.ts";

/** What alerts see of checks. */
export interface Sights extends Pick<WatchedSource, "visible"> {
  readonly network: EngineSight;
  of(tx: ReadTx, checks: readonly Check[]): Promise<Sight[]>;
}

type Known = Pick<Judged<Check>, "judged" | "shown" | "watchedOf">;

export function createSights(deps: Pick<Cradle, "clock">, { judged, shown, watchedOf }: Known): Sights {
  const network = createEngineSight(deps, judged);
  const of = async (tx: ReadTx, checks: readonly Check[]): Promise<Sight[]> => {
    const states = await tx.collection(stateCollection).getMany(checks.map(({ id }) => id));
    const now = deps.clock.now();
    return checks.map((check, at) => ({ watched: watchedOf(check), context: sightOf(check, states[at], now) }));
  };
  return {
    ...{ network, of },
    async visible(tx, actor, id) {
      const isAll = mayAccess(actor, { category: "" });
      if (id === ENGINE && isAll) return network(tx);
      const own = id === undefined && isAll ? await network(tx) : [];
      return [...(await of(tx, shown(actor, id))), ...own];
    },
  };
}
