import * as z from "zod";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { NotFoundError } from "../../../kernel/errors/errors.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { requireTarget } from "../../servers/require-server.ts";
import { snapshotCollection } from "../collection.ts";
import { Snapshot } from "../model.ts";
import { shown } from "./visible.ts";

export const getSnapshot = defineQuery({
  name: "get_snapshot",
  method: "ANY",
  summary: "Read one snapshot with everything in it.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: z.string().regex(/^[a-z0-9_]+$/) })),
  output: object(() => ({ snapshot: Snapshot })),
  async handler({ id }, { actor, services, tx }) {
    const stored = await tx.collection(snapshotCollection).get(id);
    if (!stored) throw new NotFoundError(`Failed to locate snapshot: ${id}`);
    requireTarget(actor, { id: stored.server, groups: stored.groups });
    return { snapshot: shown(actor, await services.snapshots.whole(tx, stored)) };
  },
});
