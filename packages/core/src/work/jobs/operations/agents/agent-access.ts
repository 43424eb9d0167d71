import type { Actor, OperationContext } from "../../../../kernel/calls/context.ts";
import { DomainError, RateError, SignalboxError } from "../../../../kernel/errors/errors.ts";
import type { FinalJob, Job } from "../../model.ts";
import { requireJob } from "../job-access.ts";
import { AgentCredentials } from "./agent-credentials.ts";

/** Who sends the result or a file of a job (docs/contract/satellites.md#finishing). */
export type Reporter =
  | { readonly kind: "server"; readonly id: string }
  /** A sender with the token of the job. */
  | { readonly kind: "job" }
  | { readonly kind: "caller"; readonly actor: Actor };

type Context = Pick<OperationContext, "actor" | "client" | "services">;

const refused = (): DomainError => new DomainError("auth", "denied", "Authentication failure");

/** Throws the same error for every wrong credential; a server that is not connected may retry. */
export async function identifyReporter(
  sent: AgentCredentials,
  { actor, client, services }: Context,
): Promise<Reporter> {
  if (actor.kind !== "anonymous") return { kind: "caller", actor };
  const { id, auth = "", server } = sent;
  if (server !== undefined) {
    if (!services.agentKeys.speaksForServer(auth, { job: id, server })) throw refused();
    if (!services.servers.anywhere(server)) throw new DomainError("auth", "unavailable", "Authentication failure");
    return { kind: "server", id: server };
  }
  if (services.agentKeys.speaksForJob(auth, id)) return { kind: "job" };
  try {
    return { kind: "caller", actor: await services.gatekeeper.authenticate({ apiKey: auth }, client) };
  } catch (error) {
    // There is room again in the next second, and agents report only once, so they are asked to retry.
    if (error instanceof RateError) throw new DomainError("rate", "unavailable", error.description);
    throw error instanceof SignalboxError ? refused() : error;
  }
}

/** A server may only report on its own jobs, a caller only on jobs within its reach. */
export function requireReporter(reporter: Reporter, job: Job | FinalJob): void {
  if (reporter.kind === "server" && job.server !== reporter.id) throw refused();
  if (reporter.kind === "caller") requireJob(reporter.actor, job);
}

/** Admits a caller based on the members that precede the rest of the body. */
export async function admitReporter(
  sent: Readonly<Record<string, unknown>>,
  context: Context,
  findJob: (id: string) => Promise<Job | FinalJob | undefined>,
): Promise<void> {
  const { success, data } = AgentCredentials.safeParse(sent);
  const job = success ? await findJob(data.id) : undefined;
  if (!success || !job) throw refused();
  requireReporter(await identifyReporter(data, context), job);
}
