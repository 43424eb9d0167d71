import { DomainError } from "../../../kernel/errors/errors.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import type { Loop } from "../../../kernel/running/loops.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { hasWord } from "../../../search/ast.ts";
import { invocationCollection } from "../collection.ts";
import type { Invocation } from "../model.ts";
import { placeOf } from "../rules/definition/subjects.ts";
import { newAcknowledgement, type Takeover } from "../rules/telling/acknowledgement.ts";

type Needs = Pick<Unit, "tx" | "audit" | "emit">;

/**
 * Acknowledges a live invocation, which ends its notifications. Refuses an acknowledgement that would already have
 * expired; `now` is Unix seconds.
 */
export type Acknowledge = (unit: Needs, id: string, takeover: Takeover, now: number) => Promise<Invocation>;

export const acknowledge: Acknowledge = async ({ tx, audit, emit }, id, takeover, now) => {
  if (takeover.expires !== undefined && takeover.expires <= now)
    throw new DomainError("alert", "malformed", "The end of an acknowledgement must be in the future.");
  const acknowledged = newAcknowledgement(takeover, now);
  const alert = await tx.collection(invocationCollection).update(id, (current) => ({ ...current, acknowledged }));
  const keywords = [id, alert.alert, placeOf(alert)];
  audit("alert_acknowledge", { alert, description: acknowledged.comment, keywords });
  emit("alert.acknowledged", { id, alert: alert.alert, server: alert.server });
  return alert;
};

/**
 * Takes an acknowledgement back, so that the invocation notifies again from now on. Does nothing when there is none.
 */
export async function unacknowledge({ tx, audit, emit }: Needs, id: string, description: string): Promise<Invocation> {
  let wasAcknowledged = false;
  const alert = await tx.collection(invocationCollection).update(id, ({ acknowledged, ...rest }) => {
    wasAcknowledged = acknowledged !== undefined;
    return rest as Invocation;
  });
  if (!wasAcknowledged) return alert;
  audit("alert_unacknowledge", { alert, description, keywords: [id, alert.alert, placeOf(alert)] });
  emit("alert.unacknowledged", { id, alert: alert.alert, server: alert.server });
  return alert;
}

/** Marks a firing as the continuation of another one whose end was not notified. */
export type Continued = (unit: Pick<Unit, "tx">, id: string, from: string) => Promise<void>;

export const continued: Continued = async ({ tx }, id, from) => {
  const invocations = tx.collection(invocationCollection);
  if (await invocations.get(id)) await invocations.update(id, (stored) => ({ ...stored, continues: from }));
};

const PAGE = 200;
const lent = hasWord("lent", "yes");

/** Ends acknowledgements that have expired. */
export const endAcknowledgements: Loop["run"] = async (now, { apart, clock, snapshot, transact }, signal) => {
  const isPast = ({ active, acknowledged }: Invocation): boolean =>
    active && (acknowledged?.expires ?? Number.POSITIVE_INFINITY) <= now;
  const endOne = (id: string): Promise<void> =>
    transact(async (unit) => {
      // Another user may have acknowledged it again meanwhile.
      const stored = await unit.tx.collection(invocationCollection).get(id);
      if (stored && isPast(stored)) await unacknowledge(unit, id, "The acknowledgement has ended.");
    });
  const breathe = createBreath(clock, signal);
  for await (const rows of pagesById(snapshot, invocationCollection, { where: lent, size: PAGE })) {
    if (signal.aborted) return;
    for (const { id } of rows.filter(isPast))
      await apart.run({ task: "ends of acknowledgements", noun: "Alert", id, signal }, () => endOne(id));
    await breathe();
  }
};
