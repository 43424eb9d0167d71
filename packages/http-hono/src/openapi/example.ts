import type { AnyOperation } from "@signalbox/core/plugin";
import type { JsonSchema, SharedSchemas } from "./schema.ts";

/** Typical values of members with these names. Others are generated from their schema. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  body: "All is well.",
  category: "general",
  command: "/usr/local/bin/report.sh",
  data_type: "integer",
  date: 1_767_225_600,
  doc: "guide/jobs",
  duration: 60,
  email: "ann@example.com",
  expression: "monitors.load_avg >= cpu.cores + 1",
  full_name: "Ann Example",
  hostname_match: String.raw`^web\d+`,
  index: "jobs",
  log: "Signalbox",
  message: "The load is {{float(monitors.load_avg)}}.",
  method: "POST",
  path: "files/report.csv",
  query: "tags:nightly",
  revision: 3,
  source: "cpu.currentLoad",
  subject: "Nightly report",
  title: "Nightly report",
  to: "ann@example.com",
  type: "event",
  url: "https://example.com/hook",
  username: "ann",
};

/** Texts to try for a member with a pattern: the first one that matches is used. */
const TEXTS = ["nightly", "nightly_report", "0123456789ABCDEF".repeat(4)];

/** Deeper lists are empty, since a shape may contain itself in them. */
const MAX_DEPTH = 3;

type Members = Readonly<Record<string, unknown>>;

/** An input of an operation: its own example, or one with all required members, generated from their names and schemas. */
export function exampleOf(operation: AnyOperation, schema: JsonSchema, shared: SharedSchemas): Members {
  if (operation.example !== undefined) return operation.example as Members;
  return membersOf(schema, { shared, depth: 0 });
}

interface Place {
  readonly shared: SharedSchemas;
  readonly depth: number;
}

const inside = ({ shared, depth }: Place): Place => ({ shared, depth: depth + 1 });

function membersOf({ properties = {}, required = [] }: JsonSchema, place: Place): Members {
  const entries = required.map(
    (name) => [name, sampleOf(name, properties[name] as JsonSchema, inside(place))] as const,
  );
  return Object.fromEntries(entries);
}

function sampleOf(name: string, schema: JsonSchema, place: Place): unknown {
  const { $ref: reference, const: only, enum: values, anyOf, oneOf, type, items } = schema;
  if (typeof reference === "string")
    return sampleOf(name, place.shared[reference.split("/").at(-1) ?? ""] ?? {}, place);
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  const forms = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (forms?.[0]) return sampleOf(name, forms[0], place);
  const [kind] = [type].flat();
  if (kind === "object") return membersOf(schema, place);
  if (kind !== "array") return plainValue(name, kind, schema);
  return place.depth > MAX_DEPTH ? [] : [sampleOf(name.replace(/s$/, ""), (items ?? {}) as JsonSchema, inside(place))];
}

function plainValue(name: string, kind: unknown, { minimum, pattern }: JsonSchema): unknown {
  if (Object.hasOwn(BY_NAME, name) && isOfKind(BY_NAME[name], kind)) return BY_NAME[name];
  if (kind === "boolean") return true;
  if (kind === "number" || kind === "integer") return Math.max(1, typeof minimum === "number" ? minimum : 1);
  const form = typeof pattern === "string" ? new RegExp(pattern) : /./;
  return TEXTS.find((text) => form.test(text)) ?? TEXTS[0];
}

const isOfKind = (value: unknown, kind: unknown): boolean =>
  kind === undefined || typeof value === (kind === "integer" ? "number" : kind);
