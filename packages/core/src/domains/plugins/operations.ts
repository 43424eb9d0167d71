import * as z from "zod";
import { NotFoundError } from "../../kernel/errors.ts";
import { credentials, defineQuery } from "../../kernel/operation.ts";
import { Id } from "../../wire/fields.ts";
import { asList, listOf, NoParameters } from "../../wire/lists.ts";
import { pluginCollection } from "./collection.ts";
import { PluginRecord } from "./model.ts";

export const getPlugins = defineQuery({
  name: "get_plugins",
  method: "GET",
  summary: "List all plugins.",
  access: credentials,
  input: NoParameters,
  output: listOf(PluginRecord),
  async handler(_input, { tx }) {
    return asList(await tx.collection(pluginCollection).list());
  },
});

export const getPlugin = defineQuery({
  name: "get_plugin",
  method: "GET",
  summary: "Read one plugin.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ plugin: PluginRecord }),
  async handler({ id }, { tx }) {
    const plugin = await tx.collection(pluginCollection).get(id);
    if (!plugin) throw new NotFoundError(`Failed to locate plugin: ${id}`);
    return { plugin };
  },
});
