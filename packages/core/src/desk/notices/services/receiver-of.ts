import type { Cradle } from "../../../kernel/container.ts";
import { receiverCollection } from "../collection.ts";
import type { Receiver } from "../model.ts";
import { ADMINISTRATORS } from "../rules/delivery/administrators.ts";
import { actionReceiver } from "./action-routes.ts";

/** A receiver by its id. The administrators are one without a record, and so is what actions are aimed at. */
export function receiverOf(deps: Pick<Cradle, "alerts" | "definitions">, id: string): Receiver | undefined {
  if (id === ADMINISTRATORS.id) return ADMINISTRATORS;
  const action = deps.alerts.byProblem.named(id);
  return deps.definitions.get(receiverCollection, id) ?? (action && actionReceiver(deps, id, action));
}
