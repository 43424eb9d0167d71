import { credentials, defineQuery } from "../../kernel/operation.ts";
import { asList, listOf, NoParameters } from "../../wire/lists.ts";
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
