import type { Cradle } from "../../../kernel/container.ts";
import type { Action, ActiveJob, Limit } from "../model.ts";
import { hookDataOf } from "./hook-context.ts";
import type { JobDesk } from "./job-desk.ts";
import { timeLimit } from "./time-limit.ts";

/** Notifications of an exceeded runtime limit (part 32 §6). */
export interface LimitEffects {
  /** Resolves when they have ended, or after ten seconds while they go on: an abort waits no longer. */
  run(record: ActiveJob, fired: { readonly index: number; readonly limit: Limit }): Promise<void>;
}

const PATIENCE_MS = 10_000;
const TITLES: Readonly<Record<string, string>> = {
  time: "Max Run Time",
  log: "Max Output Size",
  mem: "Max Memory",
  cpu: "Max CPU",
};

export function createLimitEffects(cradle: Cradle, { desk }: { desk: JobDesk }): LimitEffects {
  const { clock, log } = cradle;

  async function perform(record: ActiveJob, index: number, limit: Limit): Promise<void> {
    const actions = effectActions(limit);
    const results = await cradle.actionRunner.run({
      side: "job",
      actions,
      data: hookDataOf(cradle, record),
      key: `${record.id}/limit-${index}`,
      signal: cradle.jobs.stopping,
    });
    await desk.change(record.id, (_unit, current) => {
      const limits = current.job.limits ?? [];
      const stored = limits[index];
      if (!stored) return undefined;
      const combined: Limit = {
        ...stored,
        ...combine(results),
        elapsed_ms: Math.round((clock.now() - Number(limit["date"])) * 1000),
      };
      return { ...current, job: { ...current.job, limits: limits.with(index, combined) } };
    });
  }

  return {
    async run(record, { index, limit }) {
      if (effectActions(limit).length === 0) return;
      const done = perform(record, index, limit).catch((error: unknown) =>
        log.error({ job: record.id, error }, "The effects of a limit failed"),
      );
      using patience = timeLimit(clock, PATIENCE_MS);
      await Promise.race([done, patience.expired]);
    },
  };
}

const hasText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** The effects of a limit as actions, so that both run and fail alike. */
function effectActions(limit: Limit): Action[] {
  const { type, msg, source, users, email, web_hook, text, abort } = limit;
  const shared = {
    enabled: true,
    condition: "limit",
    template: "job_limited",
    title: TITLES[type] ?? type,
    msg,
    source,
  };
  const note = [abort ? "(Job aborted)" : "", hasText(text) ? String(text) : ""]
    .filter((part) => part !== "")
    .join(" ");
  const summary = abort ? "The job is aborted." : "The job goes on.";
  return [
    ...(hasText(email) || (Array.isArray(users) && users.length > 0)
      ? [{ ...shared, type: "email", users, email, summary }]
      : []),
    ...(hasText(web_hook) ? [{ ...shared, type: "web_hook", web_hook, text: note, summary }] : []),
    ...(limit["snapshot"] ? [{ ...shared, type: "snapshot", summary }] : []),
  ];
}

/** The first failure decides; details hold one section per effect. */
function combine(results: readonly Action[]): { code: unknown; description: unknown; details: string } {
  const failed = results.find((result) => result["code"] !== 0);
  const details = results.map(
    (result) => `### ${result.type}\n\n${String(result["details"] || result["description"])}`,
  );
  return {
    code: failed?.["code"] ?? 0,
    description: failed?.["description"] ?? "Limit effects applied.",
    details: details.join("\n\n"),
  };
}
