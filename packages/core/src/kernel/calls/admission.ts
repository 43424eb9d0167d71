import { SessionError } from "../errors/errors.ts";
import { knownError } from "../errors/known-error.ts";
import { type Actor, anonymous, localClient } from "./context.ts";
import { contextOf, findOperation, identify, type OperationCall, type PipelineDeps } from "./pipeline.ts";

/**
 * Identifies the caller before the body of a call has arrived: `call.input` may hold only some of its members. Resolves to the
 * caller, which the transport passes as `actor` of the complete call, or to undefined for a caller without credentials whom the
 * operation itself admits by the members read so far. Rejects like the call for callers without the right to it, and for unknown
 * callers.
 */
export type Admit = (call: OperationCall) => Promise<Actor | undefined>;

export function createAdmission(deps: PipelineDeps): Admit {
  async function admit(call: OperationCall): Promise<Actor | undefined> {
    const operation = findOperation(deps, call);
    const { gatekeeper } = deps.services();
    const client = call.client ?? localClient;
    const actor = await identify(operation, { client, call }, gatekeeper);
    gatekeeper.authorize(actor, operation.access);
    if (actor.kind !== "anonymous") return actor;
    if (!operation.admits) throw new SessionError("No Session ID or API Key could be found");
    await operation.admits(
      { ...(call.input as object) },
      contextOf(deps, operation, { actor: anonymous, client, call }),
    );
    return undefined;
  }
  return async (call) => {
    try {
      return await admit(call);
    } catch (error) {
      throw knownError(deps, error, call);
    }
  };
}
