import type * as z from "zod";
import { type Known, knownOf, withMembers } from "../../wire/schemas/known-members.ts";
import type { AnyOperation } from "./operation.ts";
import type { Registry } from "./registry.ts";

/** Steer transports or identify callers (docs/contract/requests.md#parameters); in process they mean nothing. */
const COMMON = ["cachebust", "pretty", "callback", "format", "ttl", "api_key", "session_id", "csrf_token"];

/**
 * The members that callers may send to an operation without being told that they are unknown: the members of its input, of
 * the record it is about, because clients post records back whole, and of its own list `accepts`. Undefined
 * when its members are data. Worked out at the first call of an operation, and kept.
 */
export function createAcceptedMembers({ operations }: Registry): (operation: AnyOperation) => Known | undefined {
  const kept = new Map<AnyOperation, Known | undefined>();
  return (operation) => {
    const known = kept.get(operation);
    if (known || kept.has(operation)) return known;
    const accepted = acceptedBy(operation, operations);
    kept.set(operation, accepted);
    return accepted;
  };
}

type Operations = Registry["operations"];

function acceptedBy(operation: AnyOperation, operations: Operations): Known | undefined {
  const { accepts = [], input, kind, wholeBody } = operation;
  if (accepts === "anything") return undefined;
  const further = accepts.flatMap((each) => (typeof each === "string" ? [each] : namesOf(each)));
  const [, verb = "", noun = ""] = /^(multi_update|update|delete|test)_(\w+)$/.exec(operation.name) ?? [];
  const record = kind === "command" || verb === "test" ? recordMembers(operation, noun, operations) : [];
  const known = knownOf(input as z.ZodType);
  const whole = verb === "multi_update" ? withItems(known, record) : withMembers(known, record);
  return withMembers(whole, [...COMMON, ...further, ...(wholeBody === undefined ? [] : [wholeBody])]);
}

const namesOf = (schema: z.ZodType): string[] => [...(knownOf(schema)?.members?.keys() ?? [])];

/** Members of a bulk change, in which each of the `items` is a record. */
function withItems(known: Known | undefined, record: readonly string[]): Known {
  const items = withMembers(known?.members?.get("items")?.items, record);
  return { members: new Map([...(known?.members ?? []), ["items", { items }]]) };
}

/** Members of the records in the answers of an operation and of operations that read and make the same thing. */
function recordMembers(operation: AnyOperation, noun: string, operations: Operations): string[] {
  const related = [`get_${noun}`, `create_${noun}`].flatMap((name) => operations.get(name) ?? []);
  return [operation, ...related].flatMap(({ kind, output }) =>
    kind === "stream" ? [] : [...(knownOf(output as z.ZodType)?.members?.values() ?? [])].flatMap(recordNames),
  );
}

/** A record has an id, or the name of an account. */
function recordNames(known: Known | undefined): string[] {
  const members = known?.members;
  return members && (members.has("id") || members.has("username")) ? [...members.keys()] : [];
}
