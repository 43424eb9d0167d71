import type { Unit } from "../../../kernel/unit-of-work.ts";
import { invocationCollection } from "../collection.ts";
import type { Invocation } from "../model.ts";
import { placeOf } from "../rules/subjects.ts";

/** Notes that a person has taken a live invocation over: its notifications end. */
export type Acknowledge = (
  unit: Pick<Unit, "tx" | "audit" | "emit">,
  id: string,
  acknowledged: NonNullable<Invocation["acknowledged"]>,
) => Promise<Invocation>;

export const acknowledge: Acknowledge = async ({ tx, audit, emit }, id, acknowledged) => {
  const alert = await tx.collection(invocationCollection).update(id, (current) => ({ ...current, acknowledged }));
  const keywords = [id, alert.alert, placeOf(alert)];
  audit("alert_acknowledge", { alert, description: acknowledged.comment, keywords });
  emit("alert.acknowledged", { id, alert: alert.alert, server: alert.server });
  return alert;
};
