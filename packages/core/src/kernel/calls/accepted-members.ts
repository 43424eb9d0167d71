import type * as z from "zod";
import { type Known, knownOf, withMembers } from "../../wire/schemas/known-members.ts";
import type { AnyOperation } from "./operation.ts";
import type { Registry } from "./registry.ts";

/** Parameters that steer transports or identify callers (docs/contract/requests.md#parameters); in process they mean nothing. */
const COMMON = ["cachebust", "pretty", "callback", "format", "ttl", "api_key", "session_id", "csrf_token"];

/**
 * The members that callers may send to an operation without a report that they are unknown: the members of its input, of its
 * record (clients post whole records back), and of its `accepts`. Undefined when its members are data. Computed at the first call
 * of each operation and cached.
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

/** Members of a bulk change, in which each entry of `items` is a record. */
function withItems(known: Known | undefined, record: readonly string[]): Known {
  const items = withMembers(known?.members?.get("items")?.items, record);
  return { members: new Map([...(known?.members ?? []), ["items", { items }]]) };
}

/** Members of the records that an operation answers, and that `get_…` and `create_…` of the same noun answer. */
function recordMembers(operation: AnyOperation, noun: string, operations: Operations): string[] {
  const related = [`get_${noun}`, `create_${noun}`].flatMap((name) => operations.get(name) ?? []);
  return [operation, ...related].flatMap(({ kind, output }) =>
    kind === "stream" ? [] : [...(knownOf(output as z.ZodType)?.members?.values() ?? [])].flatMap(recordNames),
  );
}

/** What has an `id`, or the `username` of an account, is a record. */
function recordNames(known: Known | undefined): string[] {
  const members = known?.members;
  return members && (members.has("id") || members.has("username")) ? [...members.keys()] : [];
}
