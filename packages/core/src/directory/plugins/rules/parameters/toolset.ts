import { membersOf } from "../../../../lib/json/is-object.ts";
import { isText } from "../../../../lib/text/text-of.ts";
import { VARIANTS } from "./variants.ts";

type Members = Readonly<Record<string, unknown>>;

const FIELD_TYPES: ReadonlySet<unknown> = new Set(["checkbox", "code", "json", "hidden", "select", "text", "textarea"]);

/** Describes the fault in the definition of a toolset parameter; `ids` are the ids of all parameters in the list. */
export function checkToolset(
  data: unknown,
  ids: ReadonlySet<unknown>,
  checkPattern: (pattern: unknown) => string | undefined,
): string | undefined {
  const { tools } = membersOf(data);
  if (!Array.isArray(tools) || tools.length === 0) return "There are no tools defined.";
  for (const [index, entry] of (tools as readonly unknown[]).entries()) {
    const tool = membersOf(entry);
    const reason = checkTool(tool, ids, checkPattern);
    if (reason !== undefined) return `Tool ${isText(tool["id"]) ? tool["id"] : `#${index + 1}`}: ${reason}`;
  }
  return undefined;
}

function checkTool(
  tool: Members,
  ids: ReadonlySet<unknown>,
  checkPattern: (pattern: unknown) => string | undefined,
): string | undefined {
  const missing = ["id", "title", "description"].find((member) => !isText(tool[member]));
  if (missing !== undefined) return `Missing ${missing}`;
  return Array.isArray(tool["fields"]) ? checkToolFields(tool["fields"], ids, checkPattern) : "Missing fields";
}

function checkToolFields(
  fields: readonly unknown[],
  taken: ReadonlySet<unknown>,
  checkPattern: (pattern: unknown) => string | undefined,
): string | undefined {
  const ids = new Set<unknown>(taken);
  for (const [index, entry] of fields.entries()) {
    const field = membersOf(entry);
    const { id, regex } = field;
    if (!isText(id)) return `Field #${index + 1}: Missing id`;
    if (ids.has(id)) return `Field ${id}: Duplicate ID`;
    ids.add(id);
    const reason = checkField(field) ?? (isText(regex) ? checkPattern(regex) : undefined);
    if (reason !== undefined) return `Field ${id}: ${reason}`;
  }
  return undefined;
}

function checkField({ title, type, variant, caption, value }: Members): string | undefined {
  if (!isText(title)) return "Missing title";
  if (!FIELD_TYPES.has(type)) return "Invalid type";
  if (variant !== undefined && type === "text" && !VARIANTS.has(variant)) return "Invalid variant";
  if (caption !== undefined && typeof caption !== "string") return "Invalid caption";
  return fits(value, type, variant) ? undefined : "Invalid value";
}

function fits(value: unknown, type: unknown, variant: unknown): boolean {
  if (type === "checkbox") return typeof value === "boolean";
  if (type === "json") return typeof value === "object" && value !== null;
  if (type === "text" && variant === "number") return value === null || typeof value === "number";
  return typeof value === "string";
}
