import { mayAccess } from "../../../directory/access/require-access.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { Sight } from "../../alerts/rules/definition/subjects.ts";
import type { Judged } from "../../alerts/subjects/judged.ts";
import type { WatchedSource } from "../../alerts/subjects/watched-source.ts";
import type { Check } from "../model.ts";
import { ENGINE } from "../rules/network.ts";
import { nameOfPlace, sightOf } from "../rules/sight.ts";
import { networkSights, type States, statesOf } from "./network.ts";

/** Values of checks that alert expressions read. */
export interface Sights extends Pick<WatchedSource, "visible"> {
  /** Values of the engine's network; an empty list when nothing runs. */
  network(tx: ReadTx): Promise<Sight[]>;
  of(checks: readonly Check[], states: States): Sight[];
  /**
   * Values after new results: the network first, so that failures which it explains are held from the same moment on,
   * then these checks.
   */
  after(checks: readonly Check[], states: States): Sight[];
}

type Known = Pick<Judged<Check>, "judged" | "shown" | "watchedOf">;

export function createSights(
  { clock, servers }: Pick<Cradle, "clock" | "servers">,
  { judged, shown, watchedOf }: Known,
): Sights {
  const nameOf = nameOfPlace((id) => servers.anywhere(id));
  const of = (checks: readonly Check[], states: States): Sight[] => {
    const look = { now: clock.now(), nameOf };
    return checks.map((check) => ({ watched: watchedOf(check), context: sightOf(check, states.get(check.id), look) }));
  };
  const network = async (tx: ReadTx) => networkSights(judged(), await statesOf(tx, judged()), clock.now());
  return {
    network,
    of,
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
