import * as z from "zod";
import { requireUnlimited } from "../../../directory/access/require-unlimited.ts";
import { defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { WordId } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { runTrial } from "../rules/readings/trial.ts";
import type { MonitorService } from "../service.ts";

const refuse = (text: string): DomainError => new DomainError("monitor", "malformed", text);

export const testMonitor = defineQuery({
  name: "test_monitor",
  method: "POST",
  summary: "Try a source, and a pattern, over the stored last minute of a server.",
  access: privilege("edit_monitors"),
  refuses: ["alert", "monitor"],
  input: looseObject(() => ({
    server: WordId,
    source: z.string().regex(/\S/),
    data_type: WordId,
    data_match: z.string().nullish(),
  })),
  output: object(() => ({ fail: z.boolean(), value: z.number().optional() })),
  async handler({ server, source, data_type: dataType, data_match: pattern }, { actor, services, tx }) {
    requireUnlimited(actor, "monitors");
    checkSources(services.monitors, source, pattern);
    const record = (await services.servers.newestRecords(tx, [server])).get(server);
    if (!record) throw new DomainError("monitor", "unknown", "Failed to load server data: Error: Item not found");
    const trial = services.monitors.trial({ source, dataType, pattern: pattern ?? undefined });
    const result = runTrial(trial, record.data);
    if ("value" in result) return { value: result.value, fail: false };
    if (result.fault === "source") return { fail: true };
    throw refuse(`Custom data regular expression did not match: ${pattern}`);
  },
});

function checkSources(monitors: MonitorService, source: string, pattern: string | null | undefined): void {
  const fault = monitors.sourceFault(source);
  if (fault !== undefined) throw refuse(`Failed to compile expression: ${fault}`);
  const patternFault = pattern ? monitors.patternFault(pattern) : undefined;
  if (patternFault !== undefined) throw refuse(`Failed to compile data match regular expression: ${patternFault}`);
}
