import * as z from "zod";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { Id, WordId } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { requireAccess } from "../../access/require-access.ts";
import { PluginRecord } from "../model.ts";
import { requireAlone, requireType } from "./trials.ts";

export const testMonitorPlugin = defineCommand({
  name: "test_monitor_plugin",
  summary: "Run a monitor plugin once on a server and answer what it wrote; waits ten seconds at most.",
  access: privilege("edit_plugins"),
  refuses: ["plugin", "server"],
  accepts: [PluginRecord],
  input: looseObject(() => ({ id: Id, server: WordId })),
  output: object(() => ({
    plugin_id: z.string().optional(),
    request_id: z.string().optional(),
    result: z.unknown(),
    stderr: z.string().optional(),
  })),
  async prepare({ id, server: serverId }, context) {
    const { actor, services, signal } = context;
    requireAlone(context);
    await requireType(context, id, "monitor");
    const server = services.servers.anywhere(serverId);
    if (!server) throw new InputError(`Server not found: ${serverId}`);
    // Callers who are limited to some groups do not see a server without a group.
    requireAccess(actor, { targets: server.groups.length > 0 ? server.groups : [serverId] });
    const { features } = server.info;
    if (!isObject(features) || !features["testMonitorPlugin"])
      throw new InputError("Server does not support testing monitor plugins (please upgrade the satellite)");
    const answer = await services.monitorTests.run(serverId, id, signal);
    if (!answer) throw new InputError(`Server not found: ${serverId}`);
    return answer;
  },
  async handler(_input, { prepared }) {
    return prepared;
  },
});
