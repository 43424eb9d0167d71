import { unknownMembers } from "../../wire/schemas/known-members.ts";
import type { Config } from "../config/config.ts";
import { InputError } from "../errors/errors.ts";
import { createAcceptedMembers } from "./accepted-members.ts";
import type { AnyOperation, StreamResult } from "./operation.ts";
import type { Registry } from "./registry.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Finds the members of a call that its operation does not know, for the answer; undefined when there are none. Throws
 * `InputError` instead when the call or the engine is strict.
 */
export function createUnknownCheck({ registry, config }: { registry: Registry; config: Config }) {
  const acceptedBy = createAcceptedMembers(registry);
  return (operation: AnyOperation, sent: Members, call: { readonly strict?: boolean }): string[] | undefined => {
    const known = acceptedBy(operation);
    const unknown = known && unknownMembers(known, sent);
    if (!unknown) return undefined;
    if (call.strict || (config.api.strict && !isForAgents(operation)))
      throw new InputError(`Unknown parameter${unknown.length > 1 ? "s" : ""}: ${unknown.join(", ")}`);
    return unknown;
  };
}

/** Commands of agents accept unknown members: newer agents may send some, and a refusal would lose a job's result. */
const isForAgents = ({ access, kind }: AnyOperation): boolean => access.kind === "token" && kind === "command";

/** Adds the unknown members to an answer. Byte answers have no members, so a header names them. */
export function withUnknown({ kind }: AnyOperation, answer: unknown, unknown: readonly string[]): unknown {
  if (kind !== "stream") return { ...(answer as object), unknown };
  const { headers, ...rest } = answer as StreamResult;
  return {
    ...rest,
    headers: {
      ...headers,
      "X-Unknown-Parameters": unknown.map((name) => encodeURIComponent(name.toWellFormed())).join(", "),
    },
  };
}
