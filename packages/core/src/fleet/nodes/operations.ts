import { admin, credentials, defineCommand, defineQuery } from "../../kernel/calls/operation.ts";
import { WordId } from "../../wire/fields/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../wire/schemas/lists.ts";
import { object } from "../../wire/schemas/objects.ts";
import { NodeEntry } from "./model.ts";

export const getMasters = defineQuery({
  name: "get_masters",
  summary: "List the nodes of this installation: who leads, versions, load, number of satellites.",
  access: credentials,
  input: NoParameters,
  output: listOf(NodeEntry),
  async handler(_input, { services }) {
    return asList(await services.rollCall.take());
  },
});

export const drainNode = defineCommand({
  name: "drain_node",
  summary: "Have a node hand its work over to the others, and end.",
  access: admin,
  refuses: ["node"],
  input: object(() => ({ node: WordId.describe("Id of the node, new at each of its starts.") })),
  output: Done,
  async handler({ node }, context) {
    await context.services.rollCall.askToDrain(context, node);
    return {};
  },
});
