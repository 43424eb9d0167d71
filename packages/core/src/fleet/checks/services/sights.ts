import { mayAccess } from "../../../directory/access/require-access.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import type { Judged } from "../../alerts/judged.ts";
import type { Sight } from "../../alerts/rules/subjects.ts";
import type { WatchedSource } from "../../alerts/watched-source.ts";
import type { Check } from "../model.ts";
import { sightOf } from "../rules/judge.ts";
import { ENGINE } from "../rules/network.ts";
import { networkSights, type States, statesOf } from "./network.ts";

/** What alerts see of checks. */
export interface Sights extends Pick<WatchedSource, "visible"> {
  /** Of the network of the engine; none where nothing is asked. */
  network(tx: ReadTx): Promise<Sight[]>;
  /** Of the network first, so that what it explains is held from the same moment on, then of these checks. */
  after(checks: readonly Check[], states: States): Sight[];
}

type Known = Pick<Judged<Check>, "judged" | "shown" | "watchedOf">;

export function createSights({ clock }: Pick<Cradle, "clock">, { judged, shown, watchedOf }: Known): Sights {
  const of = (checks: readonly Check[], states: States): Sight[] => {
    const now = clock.now();
    return checks.map((check) => ({ watched: watchedOf(check), context: sightOf(check, states.get(check.id), now) }));
  };
  const network = async (tx: ReadTx) => networkSights(judged(), await statesOf(tx, judged()), clock.now());
  return {
    network,
    after: (checks, states) => [...networkSights(judged(), states, clock.now()), ...of(checks, states)],
    async visible(tx, actor, id) {
      const isAll = mayAccess(actor, { category: "" });
      if (id === ENGINE && isAll) return network(tx);
      const own = id === undefined && isAll ? await network(tx) : [];
      const checks = shown(actor, id);
      return [...of(checks, await statesOf(tx, checks)), ...own];
    },
  };
}
