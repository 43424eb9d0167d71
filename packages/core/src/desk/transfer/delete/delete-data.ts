import { userRecords } from "../../../directory/users/records.ts";
import { userKey } from "../../../directory/users/rules/account.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { wholeCondition } from "../../../kernel/searches/search-page.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { InternalJob } from "../../internal-jobs/model.ts";
import type { ExportTools } from "../export/tools.ts";
import type { TransferItem } from "../rules/items.ts";
import type { TransferDeps } from "../running/deps.ts";
import { pauseScheduler, SCHEDULER_NOTE } from "../running/prepare.ts";
import { deleteItem } from "./delete-item.ts";

export interface DeleteRequest {
  readonly items: readonly TransferItem[];
  readonly username: string;
}

/** Starts once the command is committed and answered. Throws `DomainError` for a query that is not fully understood. */
export function deleteData(
  cradle: TransferDeps,
  unit: Unit,
  { items, username }: DeleteRequest,
): { readonly id: string } {
  checkQueries(cradle, items);
  const email = cradle.definitions.get(userRecords, userKey(username))?.email;
  return cradle.internalJobs.startAfter(
    unit,
    {
      title: "Data deletion",
      type: "maint",
      username,
      exclusive: true,
      params: { items: items.map((item) => ({ ...item })) },
      email,
    },
    (job) => run(cradle, items, job),
  );
}

function checkQueries({ clock, config, registry }: TransferDeps, items: readonly TransferItem[]): void {
  const { files, series } = registry.transfer;
  const indexOf = (type: string) => [...files.values(), ...series.values()].find(({ item }) => item === type)?.index;
  for (const item of items) {
    if (!("query" in item)) continue;
    const target = registry.searchTables.get(item.type === "index" ? item.index : (indexOf(item.type) ?? ""));
    if (target) wholeCondition({ now: clock.now(), config }, item.query, { ...target, code: "admin" } as never);
  }
}

async function run(cradle: TransferDeps, items: readonly TransferItem[], job: InternalJob): Promise<void> {
  await pauseScheduler(cradle);
  const counts = new Map<string, number>();
  const breath = createBreath(cradle.clock, job.signal);
  const tools: ExportTools = {
    cradle,
    now: cradle.clock.now(),
    signal: job.signal,
    breath,
    count(name, by) {
      counts.set(name, (counts.get(name) ?? 0) + by);
      job.stat(name, counts.get(name) ?? 0);
    },
  };
  const notes: string[] = [];
  for (const [index, item] of items.entries()) {
    job.signal.throwIfAborted();
    notes.push(...(await deleteItem(tools, item)));
    job.progress((index + 1) / items.length);
  }
  cradle.live.reconnect();
  const removed = [...counts].map(([what, count]) => `- ${what}: ${count}`).join("\n");
  job.report([`## Deletion of data`, removed || "There was nothing to delete.", ...notes, SCHEDULER_NOTE].join("\n\n"));
}
