import type { Cradle } from "../../../../kernel/container.ts";
import { receiverCollection } from "../../collection.ts";
import type { Problem } from "../../model.ts";
import { absenceOf } from "../../rules/people/duty.ts";
import type { Facts } from "../../rules/problem/facts.ts";
import { keepsState } from "../../rules/providers/names.ts";
import { soleUser } from "../sending/ways.ts";
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
      // The receiver is a target of actions.
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
