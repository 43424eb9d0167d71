import { requireAccess } from "../../../directory/access/require-access.ts";
import { groupRecords } from "../../../directory/groups/records.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { requireTarget } from "../../servers/require-server.ts";
import { Duration, durationText } from "../rules/watch.ts";

const Watch = looseObject(() => ({ id: Id, duration: Duration }));

export const watchServer = defineCommand({
  name: "watch_server",
  method: "ANY",
  summary: "Take a snapshot of a connected server every minute for `duration` seconds; 0 ends it.",
  access: privilege("create_snapshots"),
  refuses: ["server"],
  input: Watch,
  output: Done,
  async handler({ id, duration: seconds }, context) {
    const { actor, audit, services } = context;
    const server = services.servers.anywhere(id);
    if (!server) throw new DomainError("server", "unknown", `Failed to locate server: ${id}`);
    requireTarget(actor, server);
    await services.snapshots.watches.set(context, { kind: "servers", id }, seconds);
    const { hostname } = server;
    const duration = durationText(seconds);
    audit("server_watch", { description: "", server_id: id, hostname, duration, seconds, keywords: [id] });
    return {};
  },
});

export const watchGroup = defineCommand({
  name: "watch_group",
  method: "ANY",
  summary: "Take a snapshot of a group every minute for `duration` seconds; 0 ends it.",
  access: privilege("create_snapshots"),
  refuses: ["watch"],
  input: Watch,
  output: Done,
  async handler({ id, duration: seconds }, context) {
    const { actor, audit, services, tx } = context;
    requireAccess(actor, { group: id });
    const group = await tx.collection(groupRecords).get(id);
    if (!group) throw new DomainError("watch", "unknown", `Unknown group: ${id}`);
    await services.snapshots.watches.set(context, { kind: "groups", id }, seconds);
    const detail = { description: "", group, duration: durationText(seconds), seconds, keywords: [id] };
    audit("group_watch", detail);
    return {};
  },
});
