import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import { groupRecords } from "../../../directory/groups/records.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { WordId } from "../../../wire/fields/fields.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { requireTarget } from "../../servers/require-server.ts";
import { quickSamplesOf } from "../services/facts.ts";
import { requireUnlimited } from "./visible.ts";

const fault = (reason: "conflict" | "unknown", text: string): DomainError => new DomainError("snapshot", reason, text);

/** Seconds after which the stored minute of another node's server is too old for a snapshot. */
const STALE_SEC = 90;

export const createSnapshot = defineCommand({
  name: "create_snapshot",
  method: "ANY",
  summary: "Take a snapshot of a connected server from the data of its last minute.",
  access: privilege("create_snapshots"),
  refuses: ["server", "snapshot"],
  input: looseObject(() => ({ server: WordId })),
  output: object(() => ({ id: z.string() })),
  // Another node is asked before the transaction begins, and never inside a transaction of the host, which would wait
  // for the answer.
  async prepare({ server: id }, { hosted, read, services }) {
    if (hosted) return { record: undefined, quick: undefined };
    const record = (await read((tx) => services.servers.newestRecords(tx, [id]))).get(id);
    return { record, quick: (await quickSamplesOf(services, [id])).get(id) };
  },
  async handler({ server: id }, { actor, emit, audit, now, prepared, services, tx }) {
    const server = services.servers.anywhere(id);
    if (!server) throw new DomainError("server", "unknown", `Unknown or inactive server: ${id}`);
    requireTarget(actor, server);
    const { quick } = prepared;
    const record = prepared.record ?? (await services.servers.hostRecord(tx, id));
    // The server's node did not answer, so this is the stored minute.
    if (record && !services.servers.get(id) && now - record.date > STALE_SEC)
      throw new DomainError("server", "unavailable", `Server cannot be reached right now: ${id}`);
    const origin = { source: "user", username: actor.id } as const;
    const taken = record
      ? await services.snapshots.takeServer({ tx, emit, audit }, { groups: server.groups, record, quick }, origin)
      : { fault: `No monitoring data for server: ${id}` };
    if ("fault" in taken) throw fault("conflict", `Failed to create snapshot: Error: ${taken.fault}`);
    return { id: taken.id };
  },
});

export const createGroupSnapshot = defineCommand({
  name: "create_group_snapshot",
  method: "ANY",
  summary: "Take a snapshot of all servers of a group from the data of their last minute.",
  access: privilege("create_snapshots"),
  refuses: ["snapshot"],
  input: looseObject(() => ({ group: WordId })),
  output: object(() => ({ id: z.string() })),
  // Large groups take long, so they are assembled in slices, and stored in parts before the transaction.
  async prepare({ group: id }, { actor, hosted, read, services }) {
    requireAccess(actor, { group: id });
    const group = await read((tx) => tx.collection(groupRecords).get(id));
    if (!group) throw fault("unknown", `Unknown group: ${id}`);
    const draft = await services.snapshots.group.draft(group, { source: "user", username: actor.id }, { read, hosted });
    if (!hosted) await services.snapshots.group.stage(draft);
    return { draft, hosted };
  },
  async handler(_input, { audit, emit, prepared, services, tx }) {
    const { draft, hosted } = prepared;
    const { store, storeWhole } = services.snapshots.group;
    return { id: await (hosted ? storeWhole : store)({ tx, emit, audit }, draft) };
  },
});

export const deleteSnapshot = defineCommand({
  name: "delete_snapshot",
  method: "ANY",
  summary: "Remove a snapshot permanently.",
  access: privilege("delete_snapshots"),
  refuses: ["alert", "snapshot"],
  input: looseObject(() => ({ id: z.string().regex(/^[a-z0-9_]+$/) })),
  output: Done,
  async handler({ id }, { actor, services, tx }) {
    requireUnlimited(actor);
    if (!(await services.snapshots.delete(tx, id)))
      throw fault("unknown", "Failed to delete snapshot: Error: Item not found");
    return {};
  },
});
