import * as z from "zod";
import { admin, defineCommand } from "../../kernel/calls/operation.ts";
import { InputError } from "../../kernel/errors/errors.ts";
import { createBreath } from "../../kernel/running/breath.ts";
import { Done } from "../../wire/schemas/lists.ts";
import { stateCollection } from "./collection.ts";
import { type Fault, type Leaves, leavesOf, MAX_KEYS, nest, replacedBy } from "./rules.ts";

export const updateGlobalState = defineCommand({
  name: "update_global_state",
  summary: "Set values of the global state by their dotted keys; an object replaces all values inside, null removes.",
  access: admin,
  accepts: "anything",
  input: z.looseObject({}),
  output: Done,
  async handler(input, { audit, clock, services, tx }) {
    if (Object.keys(input).length > MAX_KEYS) throw new InputError("Record is too large.");
    const sent = Object.entries(input).map(([key, value]) => [key, usable(leavesOf(key, value))] as const);
    await tx.lock("global_state");
    const stored = new Set((await tx.collection(stateCollection).list()).map(({ id }) => id));
    const breathe = createBreath(clock);
    for (const [key, leaves] of sent) {
      await breathe();
      for (const path of replacedBy(key, stored)) {
        stored.delete(path);
        if (!leaves.has(path)) await services.state.set(tx, path, undefined);
      }
      for (const [path, value] of leaves) {
        stored.add(path);
        await services.state.set(tx, path, value);
      }
      audit("state_update", { description: key, state: nest([[key, input[key]]]), keywords: [] });
    }
    const own = [...stored].filter((path) => !path.startsWith("watches."));
    if (own.length > MAX_KEYS) throw new InputError("Record is too large.");
    return {};
  },
});

function usable(result: Leaves | Fault): Leaves {
  if (!("kind" in result)) return result;
  if (result.kind === "naughty") throw new InputError("Naughty key detected.");
  if (result.kind === "large") throw new InputError("Record is too large.");
  throw new InputError(`Malformed parameter: ${result.key}`);
}
