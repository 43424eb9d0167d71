import * as z from "zod";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { idsOf } from "../../../wire/fields.ts";
import { mayAccess } from "../../auth/require-access.ts";
import { invocationCollection, stateCollection } from "../collection.ts";
import { type AlertState, Invocation, stateKey } from "../model.ts";

const Missing = z.object({ err: z.string() });

export const getAlertInvocations = defineQuery({
  name: "get_alert_invocations",
  method: "ANY",
  summary:
    "Read alert invocations by id, in the order of the ids; what is missing or hidden has an `err` in its place.",
  access: credentials,
  input: z.looseObject({ ids: idsOf("alert") }),
  output: z.object({ alerts: z.array(z.union([Missing, Invocation])) }),
  async handler({ ids }, { actor, tx }) {
    const found = await tx.collection(invocationCollection).getMany(ids);
    const keys = found.map((invocation) => (invocation ? stateKey(invocation.server, invocation.alert) : ""));
    const states = await tx.collection(stateCollection).getMany(keys);
    const alerts = found.map((invocation, index) =>
      invocation && mayAccess(actor, { serverGroups: invocation.groups })
        ? overlay(invocation, states[index])
        : { err: `Failed to locate alert invocation: ${ids[index] ?? ""}` },
    );
    return { alerts };
  },
});

/** The stored copy of a live invocation may be minutes old; its state is not. */
function overlay(invocation: Invocation, state: AlertState | undefined): Invocation {
  if (!invocation.active || state?.invocation !== invocation.id) return invocation;
  return { ...invocation, message: state.message, modified: state.modified };
}
