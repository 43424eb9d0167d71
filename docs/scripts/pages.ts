/** The generated pages of the reference: each is a text made from the declarations of the engine. */
import type { Signalbox } from "@signalbox/core";
import { type AnyOperation, anyone, clientName, configSchema, credentials, refusalCodes } from "@signalbox/core/plugin";
import {
  type Described,
  type MemberRow,
  memberRows,
  typeText,
} from "../../packages/http-hono/src/reference/members.ts";
import { type ApiDescription, answerRows, inputRows } from "../../packages/http-hono/src/reference/page.ts";

type Engine = Pick<Signalbox, "operations" | "privileges">;

const byName = (a: string, b: string): number => a.localeCompare(b, "en");
const code = (text: string): string => `\`${text}\``;
/** Escapes bars, which would end a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const sorted = ({ operations }: Engine): [string, AnyOperation][] =>
  [...operations].toSorted(([a], [b]) => byName(a, b));

const callers = ({ access }: AnyOperation): string =>
  access.kind === "privilege" ? [access.id, access.or ?? []].flat().map(code).join(", ") : access.kind;

export function operationsPage(engine: Engine, description: ApiDescription): string {
  const rows = sorted(engine).map(([key, each]) => [
    `[${code(key)}](#${anchorOf(key)})`,
    each.method,
    callers(each),
    each.kind,
    cell(each.summary),
  ]);
  const parts = sorted(engine).map(([key, operation]) => operationPart(key, operation, description));
  const schemas = Object.entries(description.components.schemas).map(([name, schema]) => schemaPart(name, schema));
  return `# Operations

Generated from the registry by \`npm run reference\`. Path: \`/api/<namespace>/<operation>/v1\`; the namespace is \`app\`
unless the name says otherwise. A running engine tells the same about itself and its plugins at \`/api/reference\`, and to programs
at \`/api/openapi.json\`. Optional members end with \`?\`; \`[]\` stands for each element of a list. An answer has \`code: 0\` besides.

${table(["Operation", "Method", "Who may call", "Kind", "What it does"], rows)}

${parts.join("\n")}
## Shared schemas

${schemas.join("\n")}`;
}

const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll("/", "");

function operationPart(key: string, operation: AnyOperation, { paths }: ApiDescription): string {
  const [described] = Object.values(paths[`/api/${operation.namespace}/${operation.name}/v1`] ?? {});
  if (!described) throw new Error(`${key} is not described`);
  const answer = answerRows(described)?.filter(({ path }) => path !== "code" && path !== "unknown");
  return `## ${key}

${operation.summary} Refuses with ${refusalCodes(operation).map(code).join(", ")}.

${membersText("Parameters", inputRows(described))}
${answer ? membersText("Answer", answer) : "Answers bytes, or an event stream.\n"}`;
}

function schemaPart(name: string, schema: Described): string {
  const forms = (schema.oneOf ?? schema.anyOf ?? [schema]).flatMap((form) => form.oneOf ?? [form]);
  const parts = forms.map((form) => {
    const { type } = form.properties ?? {};
    return membersText(schema === form || !type ? "Members" : `Of the type ${typeText(type)}`, memberRows(form));
  });
  return `### ${name}

${parts.join("\n")}`;
}

/** One line per member: half of a table with that many members would be dashes. */
function membersText(title: string, rows: readonly MemberRow[]): string {
  if (rows.length === 0) return `${title}: none.\n`;
  const lines = rows.map(({ path, type, isNeeded, text }) => {
    const linked = type.replace(/#(\w+)/g, (_match, name: string) => `[${name}](#${name.toLowerCase()})`);
    return `- ${code(isNeeded ? path : `${path}?`)} ${linked}${text === "" ? "" : `: ${text}`}`;
  });
  return `${title}:\n${lines.join("\n")}\n`;
}

/** The refusal codes of each operation, for the types of the client. */
export function refusalsModule(engine: Engine): string {
  const always = refusalCodes({ access: anyone });
  const known = refusalCodes({ access: credentials });
  const text = (codes: readonly string[]): string => codes.map((each) => JSON.stringify(each)).join(" | ");
  const lines = sorted(engine).map(([, operation]) => {
    const [name, general] = operation.access.kind === "anyone" ? ["Always", always] : ["Known", known];
    const own = refusalCodes(operation).filter((each) => !general.includes(each));
    return `  readonly ${clientName(operation)}: ${own.length > 0 ? `${name} | ${text(own)}` : name};`;
  });
  return `/** Generated from the registry by \`npm run reference\`: the codes with which each operation refuses. */
type Always = ${text(always)};
type Known = ${text(known)};

export interface Refusals {
${lines.join("\n")}
}
`;
}

/** Explains the kinds of access that are not privileges. */
const KINDS: readonly (readonly [AnyOperation["access"]["kind"], string])[] = [
  ["anyone", "Anybody; credentials are not looked at."],
  [
    "credentials",
    "Everybody with valid credentials; what a limited caller sees is narrowed to its categories and groups.",
  ],
  ["token", "Everybody with valid credentials or a token for the one object."],
  ["unchecked", "Anybody; the operation itself looks at what was sent to sign in."],
];

export function privilegesPage(engine: Engine): string {
  const operations = sorted(engine);
  const namesOf = (matches: (access: AnyOperation["access"]) => boolean): string =>
    operations.flatMap(([key, { access }]) => (matches(access) ? [code(key)] : [])).join(", ");
  const kinds = KINDS.map(([kind, meaning]) => [kind, meaning, namesOf((access) => access.kind === kind)]);
  const privileges = [...engine.privileges]
    .toSorted(([a], [b]) => byName(a, b))
    .map(([id, title]) => [
      code(id),
      cell(title),
      namesOf((access) => access.kind === "privilege" && [access.id, access.or].includes(id)),
    ]);
  return `# Privileges

Generated from the registry by \`npm run reference\`. Administrators (\`admin\`) may call everything. Rules that depend on
the record, its category and its groups come on top.

## Operations by privilege

A privilege without operations is checked inside others, or belongs to a part of the product that is not there yet.

${table(["Privilege", "Title", "Operations"], privileges)}

## Operations without a privilege

${table(["Who may call", "Meaning", "Operations"], kinds)}
`;
}

/** The members of JSON Schema that the configuration uses. */
interface Node {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

function typeOf({ type, enum: values, const: only, anyOf, items }: Node): string {
  if (values) return values.map((value) => code(JSON.stringify(value))).join(" or ");
  if (only !== undefined) return code(JSON.stringify(only));
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  const name = [type ?? "any"].flat().join(" or ");
  return type === "array" && items ? `list of ${typeOf(items)}` : name;
}

const MAX_DEFAULT = 100;

function defaultOf(value: unknown): string {
  if (value === undefined) return "–";
  const text = JSON.stringify(value);
  if (text.length <= MAX_DEFAULT) return code(cell(text));
  if (typeof value === "string") return `${code(cell(text.slice(0, MAX_DEFAULT)))} …`;
  return `${Object.keys(value as object).length} entries`;
}

/** Rows for keys with a description; recurses into sections. */
function rowsOf(node: Node, path: string, value: unknown): string[][] {
  if (node.description !== undefined || !node.properties)
    return [[code(path), typeOf(node), defaultOf(value), cell(node.description ?? "")]];
  return membersOf(node, path, value);
}

function membersOf({ properties = {} }: Node, path: string, value: unknown): string[][] {
  const values = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(properties).flatMap(([name, member]) =>
    rowsOf(member, path === "" ? name : `${path}.${name}`, values[name]),
  );
}

function configRows(): readonly (readonly string[])[] {
  const schema = configSchema.toJSONSchema({ io: "input", unrepresentable: "any" }) as Node;
  return membersOf(schema, "", configSchema.parse({})).toSorted(([a = ""], [b = ""]) => byName(a, b));
}

const unmarked = (cell = ""): string => cell.replace(/^`(.*)`$/s, "$1").replaceAll("\\|", "|");

/** Key, default and meaning of each setting for the dashboard's pages, which no operation returns. */
export function settingsModule(): string {
  const lines = configRows().map(([key, , fallback, meaning = ""]) =>
    [unmarked(key), unmarked(fallback), meaning].join("\t").replaceAll(/[\\`]|\$\{/g, String.raw`\$&`),
  );
  return `/** Generated from the schema by \`npm run reference\`: key, default and meaning of each setting, a tab between. */
export const SETTINGS = \`
${lines.join("\n")}
\`;
`;
}

export function configPage(): string {
  const rows = configRows();
  return `# Configuration

Generated from the schema by \`npm run reference\`. Every key is optional; a wrong value stops the engine from being made,
with the path of the key in the message. Unknown keys are kept and readable.

\`admin_update_config\` sets values by these paths while the engine runs, on every node and beyond restarts. Most are read
whenever they are used, by routers too. Read once, at the start, are \`locale\` for expressions, \`api.max_body_memory\` for short
bodies and for answers, and \`cluster.beat_sec\`, \`cluster.silent_sec\` and \`cluster.host\`.

${table(["Key", "Type", "Default", "Meaning"], rows)}
`;
}
