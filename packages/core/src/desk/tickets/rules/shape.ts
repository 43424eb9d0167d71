import { isObject } from "../../../lib/json/is-object.ts";
import { isTextList } from "../../../lib/text/text-of.ts";
import { readDue } from "../../../wire/fields/due.ts";
import { isTenant } from "../../../wire/tenant.ts";

type Members = Readonly<Record<string, unknown>>;

const ARRAYS = ["assignees", "cc", "notify", "changes", "tags"] as const;
/** Members that are lists of names. */
export const LISTS = ["assignees", "cc", "notify", "tags"] as const;

const isOptional = (value: unknown, check: (value: unknown) => boolean): boolean =>
  value === undefined || value === null || check(value);

/**
 * The reason why members of a ticket are refused, found without reading the storage (docs/contract/tickets.md#checks); undefined
 * = they are accepted.
 */
export function faultOfShape(sent: Members): string | undefined {
  const fault = ARRAYS.find((name) => sent[name] && !Array.isArray(sent[name])) ?? memberFault(sent);
  return fault === undefined ? undefined : `Malformed ticket parameter: ${fault}`;
}

function memberFault(sent: Members): string | undefined {
  if (!readDue(sent["due"])) return "due";
  const names = LISTS.find((name) => sent[name] && !isTextList(sent[name]));
  if (names !== undefined) return names;
  const text = ["category", "server", "body"].find((name) => sent[name] && !isScalar(sent[name]));
  if (text !== undefined) return text;
  if (!isTenant(sent["tenant"])) return "tenant";
  if (sent["events"] && !(Array.isArray(sent["events"]) && sent["events"].every(isStub))) return "events";
  return sent["files"] && !(Array.isArray(sent["files"]) && sent["files"].every(hasPath)) ? "files" : undefined;
}

const isScalar = (value: unknown): boolean => typeof value === "string" || typeof value === "number";

function isStub(value: unknown): boolean {
  if (!isObject(value) || typeof value["id"] !== "string") return false;
  const { params, targets, algo, tags } = value;
  return (
    isOptional(params, isObject) &&
    isOptional(targets, isTextList) &&
    isOptional(algo, (text) => typeof text === "string") &&
    isOptional(tags, isTextList)
  );
}

const hasPath = (value: unknown): boolean => isObject(value) && typeof value["path"] === "string";

/** Form fields are texts: in a form, a comma-separated text stands for a list (docs/contract/requests.md#parameters). */
export function readFormLists(sent: Members): Members {
  const lists = LISTS.flatMap((name) => {
    const value = sent[name];
    return typeof value === "string" ? [[name, value.split(/,\s*/).filter((part) => part !== "")] as const] : [];
  });
  return lists.length > 0 ? { ...sent, ...Object.fromEntries(lists) } : sent;
}
