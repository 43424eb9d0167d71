import * as z from "zod";
import type { SearchableTable, WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { deleteFound } from "../../../kernel/searches/delete-found.ts";
import { hasWord } from "../../../search/ast.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { invocationCollection } from "../collection.ts";

const BATCH = 200;
const Payload = object(() => ({ alert: z.string() }));

/** Queued work of kind "alerts.purge": deletes the invocations of a deleted definition, one batch per transaction. */
export const purgeWorker: WorkHandler = async (item, { events, transact }, signal) => {
  const { alert } = Payload.parse(item.payload);
  for (let removed = BATCH; removed === BATCH; ) {
    signal.throwIfAborted();
    removed = await transact(({ tx }) =>
      deleteFound(tx.collection(invocationCollection), hasWord("alert", alert), { limit: BATCH }),
    );
  }
  events.emit("bulk.deleted", { list: "alerts" });
};

/** Deletes an invocation, for bulk deletions that name this table. */
export const removeInvocation: NonNullable<SearchableTable["remove"]> = (id, _order, { transact }) =>
  transact(async ({ tx, emit }) => {
    if (await tx.collection(invocationCollection).delete(id)) emit("alert.removed", { id });
  });
