import * as z from "zod";
import { requireAccess } from "../../../../directory/access/require-access.ts";
import type { PrepareContext } from "../../../../kernel/calls/context.ts";
import { defineCommand, privilege, token } from "../../../../kernel/calls/operation.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import { membersOf } from "../../../../lib/json/is-object.ts";
import { Done } from "../../../../wire/schemas/lists.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";
import type { Job } from "../../model.ts";
import { admitReporter, identifyReporter, type Reporter, requireReporter } from "./agent-access.ts";
import { AgentCredentials } from "./agent-credentials.ts";

const FinishJob = looseObject(() => ({
  ...AgentCredentials.shape,
  job: z.record(z.string(), z.unknown()).describe("The last update of the job."),
}));

/**
 * Agents discard a result after the first successful HTTP answer, so the answer is sent only after the result has been stored.
 */
export const finishJob = defineCommand({
  name: "finish_job",
  summary: "Receive the final result of a job from its server, answering once it is stored; 503 asks to send it again.",
  access: token,
  refuses: ["auth", "job"],
  input: FinishJob,
  output: Done,
  // Agents send the job before their token: at that point, only the existence of a job that waits for a result can be checked.
  async admits(sent, context) {
    const find = (id: string) => findJob(id, context);
    if (sent["auth"] !== undefined) return admitReporter(sent, context, find);
    if (typeof sent["id"] !== "string" || !(await find(sent["id"])))
      throw new DomainError("auth", "denied", "Authentication failure");
  },
  async prepare(input, context) {
    if (context.hosted)
      throw new DomainError("job", "conflict", "Results of jobs are stored in transactions of their own.");
    const reporter = await identifyReporter(input, context);
    const job = await orLater(context, () => findJob(input.id, context));
    if (!job) throw new DomainError("job", "unknown", `Job not found: ${input.id}`);
    requireReporter(reporter, job);
    requireEffects(reporter, input.job, context);
    const { server } = job;
    if (server === undefined || isBeforeServer(job))
      throw new DomainError("job", "conflict", `Job is not running on a server: ${input.id}`);
    const update = { ...input.job, state: "complete" };
    await orLater(context, () => context.services.jobInbox.finish(server, input.id, update));
  },
  async handler() {
    return {};
  },
});

/** Members with effects beyond the job. */
const EFFECTS = ["clear_alert", "serverData", "update_event"];

/**
 * Refuses effects beyond the job from callers who may not edit all events: otherwise any key could change events, and so run
 * programs on servers. Agents have no such limits.
 */
function requireEffects(
  reporter: Reporter,
  update: Readonly<Record<string, unknown>>,
  { services }: PrepareContext,
): void {
  if (reporter.kind !== "caller") return;
  const { actions, limits } = membersOf(update["push"]);
  if (!actions && !limits && EFFECTS.every((name) => update[name] === undefined)) return;
  services.gatekeeper.authorize(reporter.actor, privilege("edit_events"));
  // What the update names may be out of the caller's reach.
  requireAccess(reporter.actor, { category: "*" });
  requireAccess(reporter.actor, { group: "*" });
}

const BEFORE_SERVER: ReadonlySet<string> = new Set(["start_delay", "retry_delay", "ready", "queued", "starting"]);
const isBeforeServer = ({ state }: Job): boolean => BEFORE_SERVER.has(state);

async function findJob(id: string, { services }: Pick<PrepareContext, "services">): Promise<Job | undefined> {
  const { desk } = services.jobs;
  return (await desk.read(id))?.job ?? desk.final(id);
}

/** A failing storage will work later, so the agent is asked to retry. */
async function orLater<R>({ log }: PrepareContext, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    log.error({ error }, "The result of a job could not be stored; its server is asked to send it again");
    throw new DomainError("job", "unavailable", "The result could not be stored; send it again.", { cause: error });
  }
}
