import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { healthCollection, receiverCollection } from "../../collection.ts";
import type { Problem, Route } from "../../model.ts";
import { absenceOf } from "../../rules/people/duty.ts";
import type { Facts } from "../../rules/problem/facts.ts";
import { keepsState } from "../../rules/providers/names.ts";
import { reachesNobody, soleUser } from "../sending/ways.ts";
import type { DutyRoster } from "./duty.ts";

/** The people and services behind the receivers of a problem. */
export function readersOf(
  { definitions }: Pick<Cradle, "definitions">,
  duty: DutyRoster,
  problem: Pick<Problem, "route" | "title">,
): Pick<Facts, "isTaker" | "keepsState" | "onDuty" | "unreachable"> {
  const stored = (id: string) => definitions.get(receiverCollection, id);
  const onDuty = (id: string): string | undefined => {
    const receiver = stored(id);
    return receiver?.type === "rota" ? duty.of(receiver) : undefined;
  };
  return {
    onDuty,
    unreachable(id, former = []) {
      // This receiver is the target of actions, which has no record that could be missing.
      if (problem.title !== undefined && id === problem.route) return undefined;
      return absenceOf(id, stored(id), [onDuty(id), ...former]);
    },
    keepsState: (id) => keepsState(stored(id) ?? { type: "" }),
    isTaker(id, taker) {
      const receiver = stored(id);
      return taker === `link:${id}` || (receiver && soleUser(receiver, { definitions, duty })?.username) === taker;
    },
  };
}

type UnheardDeps = Pick<Cradle, "config" | "definitions" | "live" | "mailer">;

/**
 * Finds the receivers of a route through which nobody can be reached now: services and addresses that accept nothing, and people
 * who have neither mail nor an open page. Undefined = the route has only one step, so nothing depends on it.
 */
export async function unheardOf(
  tx: ReadTx,
  { config, definitions, live, mailer }: UnheardDeps,
  { duty, steps }: { readonly duty: DutyRoster; readonly steps: Route["steps"] },
): Promise<Facts["isUnheard"]> {
  if (steps.length < 2) return undefined;
  const ids = [...new Set(steps.flatMap(({ to }) => to))];
  const health = await tx.collection(healthCollection).getMany(ids);
  const dead = new Set(health.flatMap((each) => (each?.state === "dead" ? [each.id] : [])));
  return (id) => {
    const receiver = definitions.get(receiverCollection, id);
    return (
      dead.has(id) || (receiver !== undefined && reachesNobody(receiver, { config, definitions, duty, live, mailer }))
    );
  };
}
