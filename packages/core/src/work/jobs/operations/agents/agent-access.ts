import type { Actor, OperationContext } from "../../../../kernel/calls/context.ts";
import { DomainError, RateError, SignalboxError } from "../../../../kernel/errors/errors.ts";
import type { FinalJob, Job } from "../../model.ts";
import { requireJob } from "../job-access.ts";
import { AgentCredentials } from "./agent-credentials.ts";

/** The sender of the result or a file of a job (docs/contract/satellites.md#finishing). */
export type Reporter =
  | { readonly kind: "server"; readonly id: string }
  /** Holds the token of the job itself. */
  | { readonly kind: "job" }
  | { readonly kind: "caller"; readonly actor: Actor };

type Context = Pick<OperationContext, "actor" | "client" | "services">;

const refused = (): DomainError => new DomainError("auth", "denied", "Authentication failure");

/** Throws one and the same refusal for every fault; a server that is not connected may try again. */
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
    // The next second has room again, and this is said once only.
    if (error instanceof RateError) throw new DomainError("rate", "unavailable", error.description);
    throw error instanceof SignalboxError ? refused() : error;
  }
}

/** A server speaks for its own jobs alone, a caller for those within the own limits. */
export function requireReporter(reporter: Reporter, job: Job | FinalJob): void {
  if (reporter.kind === "server" && job.server !== reporter.id) throw refused();
  if (reporter.kind === "caller") requireJob(reporter.actor, job);
}

/** Admits a caller by the members that have come before the rest of the body. */
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
