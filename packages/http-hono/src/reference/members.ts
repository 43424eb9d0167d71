/** One line about a member of a schema, for pages that describe the API. */
export interface MemberRow {
  /** Dotted; `[]` represents the elements of a list. */
  readonly path: string;
  /** Shared schemas in it are marked with `#`: "list of #Trigger". */
  readonly type: string;
  readonly isNeeded: boolean;
  readonly text: string;
}

/** The keywords of JSON Schema that are shown. */
export interface Described {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Described[];
  readonly oneOf?: readonly Described[];
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** Deeper members are only described by the type of the member that contains them. */
const MAX_DEPTH = 4;
/** Larger bounds in a schema stand for "no bound". */
const BEYOND = 1_000_000_000_000;

/** The members of an object, each followed by the members inside it. */
export function memberRows(schema: Described, prefix = "", depth = 0): MemberRow[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const row = { path, type: typeText(member), isNeeded: required.includes(name), text: meaningOf(member) };
    return depth < MAX_DEPTH ? [row, ...rowsWithin(member, path, depth + 1)] : [row];
  });
}

function rowsWithin({ anyOf, oneOf, items, ...schema }: Described, path: string, depth: number): MemberRow[] {
  if (schema.properties) return memberRows(schema, `${path}.`, depth);
  if (items) return rowsWithin(items, `${path}[]`, depth);
  return (anyOf ?? oneOf ?? []).flatMap((form) => rowsWithin(form, path, depth));
}

/** The type of a value in words. */
export function typeText({ $ref: reference, const: only, enum: values, anyOf, oneOf, type, items }: Described): string {
  if (reference !== undefined) return `#${reference.split("/").at(-1)}`;
  if (only !== undefined) return JSON.stringify(only);
  if (values) return orOf(values.map((value) => JSON.stringify(value)));
  const forms = anyOf ?? oneOf;
  if (forms) return orOf(forms.map(typeText));
  if (type === "array") return items ? `list of ${typeText(items)}` : "list";
  return type === undefined ? "any" : orOf([type].flat());
}

const orOf = (parts: readonly string[]): string => [...new Set(parts)].join(" or ");

function meaningOf({ description, pattern, minimum, maximum, maxLength, maxItems }: Described): string {
  const parts = [
    description?.replace(/\.?$/, "."),
    minimum !== undefined && minimum > -BEYOND ? `At least ${minimum}.` : undefined,
    maximum !== undefined && maximum < BEYOND ? `At most ${maximum}.` : undefined,
    maxLength === undefined ? undefined : `At most ${maxLength} characters.`,
    maxItems === undefined ? undefined : `At most ${maxItems} elements.`,
    pattern === undefined ? undefined : `Matches \`${pattern}\`.`,
  ];
  return parts.filter((part) => part !== undefined).join(" ");
}
