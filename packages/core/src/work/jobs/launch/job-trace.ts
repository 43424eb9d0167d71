import { membersOf } from "../../../lib/json/is-object.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import type { Tracer } from "../../../ports/tracer.ts";
import { activeJobCollection } from "../collection.ts";
import { resultCode } from "../finish/rules/result-code.ts";
import type { FinalJob } from "../model.ts";

/** The environment variable as W3C and OpenTelemetry name it. It is stored with the job, so it survives a restart. */
const VARIABLE = "TRACEPARENT";

/** The trace that a job continues (W3C `traceparent`); undefined for a job that was launched without a tracer. */
export function traceparentOf(job: unknown): string | undefined {
  const value = membersOf(membersOf(job)["env"])[VARIABLE];
  return typeof value === "string" ? value : undefined;
}

/** Members of a launch plan that a trace records. */
interface TracedPlan {
  readonly event: { readonly id: string };
  readonly source: string;
  readonly isRetry: boolean;
  readonly engine: Readonly<Record<string, unknown>>;
}

/**
 * The environment variables with which a job continues the trace of the call, schedule or job that launched it. The launch gets a
 * separate span, because the span of the job is created at its end, possibly by another process.
 */
export async function traceVariables(
  tracer: Tracer | undefined,
  tx: WriteTx,
  plan: TracedPlan,
): Promise<Readonly<Record<string, string>>> {
  if (!tracer) return {};
  const { event, source, engine } = plan;
  const span = tracer.start({
    name: `launch ${event.id}`,
    kind: "producer",
    parent: await parentOf(tx, plan),
    facts: { "signalbox.event": event.id, "signalbox.source": source, ...causeFacts(engine["cause"]) },
  });
  span.end({});
  return span.traceparent === undefined ? {} : { [VARIABLE]: span.traceparent };
}

/** Parent trace: a retry continues the trace of the previous attempt, a sub-job continues the trace of its workflow. */
async function parentOf(tx: WriteTx, { isRetry, engine }: TracedPlan): Promise<string | undefined> {
  if (isRetry) return traceparentOf(engine);
  const workflow = membersOf(engine["workflow"])["job"];
  if (typeof workflow !== "string") return undefined;
  return traceparentOf((await tx.collection(activeJobCollection).get(workflow))?.job);
}

/** Records the span of an ended job, beginning at its launch. */
export function traceJob(tracer: Tracer | undefined, job: FinalJob, { launched }: { readonly launched: number }): void {
  if (!tracer) return;
  const code = resultCode(job.code);
  const span = tracer.start({
    name: `job ${job.event}`,
    kind: "consumer",
    parent: traceparentOf(job),
    at: launched,
    facts: {
      "signalbox.job": job.id,
      "signalbox.event": job.event,
      "signalbox.source": job.source ?? "",
      "signalbox.server": job.server ?? "",
      "signalbox.plugin": job.plugin ?? "",
      ...causeFacts(job.cause),
    },
  });
  span.end({ facts: { "signalbox.code": code }, isFailure: code !== 0, at: job.completed ?? launched });
}

function causeFacts(cause: unknown): Record<string, string> {
  const { kind, id } = membersOf(cause);
  return typeof kind === "string" ? { "signalbox.cause.kind": kind, "signalbox.cause.id": String(id) } : {};
}
