import * as z from "zod";
import { requireUnlimited } from "../../../directory/access/require-unlimited.ts";
import { defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import { WordId } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { SUBJECT_TYPES } from "../model.ts";
import { contextOf } from "../rules/evaluation/context.ts";
import { sourceOf } from "../subjects/watched-source.ts";

const Text = z.string().regex(/\S/);
const refuse = (text: string): never => {
  throw new DomainError("alert", "malformed", text);
};

export const testAlert = defineQuery({
  name: "test_alert",
  method: "POST",
  summary:
    "Evaluate an expression and its message over the last minute of a server, or over the present state of an event, a heartbeat or a check.",
  access: privilege("edit_alerts"),
  refuses: ["alert"],
  input: looseObject(() => ({
    server: WordId.optional(),
    event: WordId.optional(),
    heartbeat: WordId.optional(),
    check: WordId.optional(),
    expression: Text,
    message: Text,
  })),
  output: object(() => ({
    result: z.boolean(),
    message: z.string(),
    error: z.string().optional(),
    missing: z.array(z.string()).optional().describe("Paths that the expression reads and that have no value."),
  })),
  async handler({ server, expression, message, ...named }, { actor, services, tx }) {
    const { alerts, servers } = services;
    requireUnlimited(actor, "alerts");
    const fault = alerts.expressionFault(expression);
    if (fault !== undefined) refuse(`Failed to compile alert expression: ${fault}`);
    const macroFault = alerts.messageFault(message);
    if (macroFault !== undefined) refuse(`Failed to compile macros in alert message: ${macroFault}`);
    const kind = SUBJECT_TYPES.find((type) => named[type] !== undefined);
    if (kind) {
      const [sight] = (await sourceOf(services, kind)?.visible(tx, actor, named[kind])) ?? [];
      return alerts.tryOut({ expression, message }, sight?.context ?? {});
    }
    if (server === undefined) throw new InputError("Missing parameter: server");
    const record = (await servers.newestRecords(tx, [server])).get(server);
    if (!record) throw new DomainError("alert", "unknown", "Failed to load server data: Error: Item not found");
    const known = await servers.find(tx, server);
    const presence = known ? { presence: await alerts.presence.of(tx, known) } : {};
    return alerts.tryOut({ expression, message }, { ...contextOf(record), ...presence });
  },
});
