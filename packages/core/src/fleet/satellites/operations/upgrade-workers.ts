import * as z from "zod";
import { groupRecords } from "../../../directory/groups/records.ts";
import { admin, defineCommand } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { Services } from "../../../kernel/plugins/services.ts";
import { csv, number, WordId } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";

const MAX_TARGETS = 1000;
const MAX_STAGGER_SEC = 3600;

export const adminUpgradeWorkers = defineCommand({
  name: "admin_upgrade_workers",
  summary: "Tell connected servers one by one to upgrade their agent, in the background.",
  access: admin,
  refuses: ["admin"],
  example: { targets: ["web_servers"], stagger: 30 },
  input: looseObject(() => ({
    targets: csv(WordId).pipe(z.array(WordId).min(1).max(MAX_TARGETS)).describe("Ids of servers and groups."),
    release: z
      .string()
      .regex(/^\w[\w.-]*$/)
      .max(64)
      .optional()
      .describe("Release to upgrade to; absent = the one of the configuration."),
    stagger: number()
      .pipe(z.number().nonnegative().max(MAX_STAGGER_SEC))
      .default(0)
      .describe("Seconds between one server and the next."),
  })),
  output: object(() => ({
    id: z.string(),
    servers: z.array(z.string()).describe("Ids of the servers, in their order."),
    stagger: z.number(),
    release: z.string().optional(),
  })),
  async handler({ targets, release, stagger }, { actor, audit, services, tx }) {
    for (const target of targets)
      if (!(await services.servers.find(tx, target)) && !(await tx.collection(groupRecords).get(target)))
        throw new DomainError("admin", "unknown", `Server or group not found: ${target}`);
    const servers = serversOf(services, targets);
    if (servers.length === 0) throw new DomainError("admin", "conflict", "None of the servers is connected.");
    const round = { servers, stagger, ...(release === undefined ? {} : { release }) };
    const title = `Agents of ${servers.length} servers are told to upgrade`;
    const spec = { title, type: "maint", username: actor.id, params: { targets, ...round }, exclusive: true } as const;
    const { id } = services.internalJobs.startAfter({ audit, tx }, spec, (job) =>
      services.satellites.upgrades.run({ servers, release, staggerSec: stagger }, job),
    );
    return { id, ...round };
  },
});

function serversOf({ servers }: Services, targets: readonly string[]): string[] {
  const wanted = new Set(targets);
  return servers
    .everywhere()
    .filter(({ id, groups }) => wanted.has(id) || groups.some((group) => wanted.has(group)))
    .map(({ id }) => id);
}
