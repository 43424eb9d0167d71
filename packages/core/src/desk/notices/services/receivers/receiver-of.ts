import type { Cradle } from "../../../../kernel/container.ts";
import { receiverCollection } from "../../collection.ts";
import type { Receiver } from "../../model.ts";
import { ADMINISTRATORS } from "../../rules/delivery/administrators.ts";
import { actionReceiver } from "./action-routes.ts";

/** A receiver by its id. The administrators and the targets of actions are receivers without a record. */
export function receiverOf(deps: Pick<Cradle, "alerts" | "definitions">, id: string): Receiver | undefined {
  if (id === ADMINISTRATORS.id) return ADMINISTRATORS;
  const action = deps.alerts.byProblem.named(id);
  return deps.definitions.get(receiverCollection, id) ?? (action && actionReceiver(deps, id, action));
}
