import { type Described, type MemberRow, memberRows, typeText } from "./members.ts";
import { STYLE } from "./style.ts";

/** The parts of our OpenAPI document that the page shows. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Described>> };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": Content } };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Contents }>>;
}

type Contents = Readonly<Record<string, Content>>;

interface Content {
  readonly schema?: Described;
  readonly example?: unknown;
}

interface Parameter {
  readonly name?: string;
  readonly required?: boolean;
  readonly schema?: Described;
  readonly example?: unknown;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Renders a text in which backticks mark code. */
const prose = (text: string): string => escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>");
const linked = (type: string): string => escaped(type).replace(/#(\w+)/g, '<a href="#schema-$1">$1</a>');

/**
 * The reference page of an API in pieces, one per operation. It has no script, so that nothing can run in it; operations are
 * collapsed, so that it looks like a list at first. A browser's own search finds text in collapsed parts.
 */
export function* referencePage({ info, paths, components }: ApiDescription): Generator<string> {
  const entries = Object.entries(paths).map(([path, methods]) => ({ path, methods, id: idOf(methods) }));
  yield head(info, entries);
  for (const { path, methods, id } of entries) yield operationPart(id, path, methods);
  yield `</section><section><h2>Shared schemas</h2>`;
  for (const [name, schema] of Object.entries(components.schemas)) yield schemaPart(name, schema);
  yield "</section></main></body></html>\n";
}

type Methods = Readonly<Record<string, Operation>>;

/** Id of an operation, without the method, because one operation may accept two methods. */
const idOf = (methods: Methods): string => {
  const [id = ""] = Object.values(methods).map(({ operationId }) => operationId);
  return Object.keys(methods).length > 1 ? id.replace(/_(?:get|post)$/, "") : id;
};

function head({ title, description }: ApiDescription["info"], entries: readonly { readonly id: string }[]): string {
  const items = entries.map(({ id }) => id).toSorted();
  const list = items.map((id) => `<li><a href="#${escaped(id)}"><code>${escaped(id)}</code></a></li>`).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}: API</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>
<header><h1>${escaped(title)}: API</h1><p>${prose(description)}</p>
<p><a href="openapi.json">The same as an OpenAPI document</a></p></header>
<main><nav aria-label="Operations"><ul>${list}</ul></nav><section><h2>Operations</h2>`;
}

function operationPart(id: string, path: string, methods: Methods): string {
  const [operation] = Object.values(methods);
  if (!operation) return "";
  const names = Object.keys(methods).map((method) => method.toUpperCase());
  return `<details id="${escaped(id)}"><summary><code>${names.join(", ")} ${escaped(path)}</code>
<span>${prose(operation.summary)}</span></summary><div><p>${prose(operation.description)}</p>
${inputPart(operation)}${answerPart(operation)}${refusalPart(operation)}</div></details>\n`;
}

function inputPart(operation: Operation): string {
  const rows = table("Parameters", inputRows(operation));
  const example = exampleOf(operation);
  if (example === undefined) return rows;
  return `${rows}<h3>Example</h3><pre>${escaped(JSON.stringify(example, null, 2))}</pre>`;
}

/** Parameters of a call, in its query or its body. */
export function inputRows({ parameters, requestBody }: Operation): MemberRow[] {
  const body = requestBody?.content["application/json"].schema;
  if (body) return memberRows(body);
  const named = parameters.filter(({ name }) => name !== undefined);
  return memberRows({
    properties: Object.fromEntries(named.map(({ name = "", schema = {} }) => [name, schema])),
    required: named.flatMap(({ name = "", required }) => (required ? [name] : [])),
  });
}

function exampleOf({ parameters, requestBody }: Operation): unknown {
  const given = parameters.flatMap(({ name = "", example }) =>
    example === undefined ? [] : [[name, example] as const],
  );
  const example = requestBody?.content["application/json"].example ?? Object.fromEntries(given);
  return Object.keys(example as object).length > 0 ? example : undefined;
}

/** Members of the answer; undefined if the answer is bytes. */
export function answerRows({ responses }: Operation): MemberRow[] | undefined {
  const schema = responses["200"]?.content?.["application/json"]?.schema;
  return schema && memberRows(schema);
}

const answerPart = (operation: Operation): string => {
  const rows = answerRows(operation);
  return rows ? table("Answer", rows) : "<h3>Answer</h3><p>Bytes, or an event stream.</p>";
};

const refusalPart = ({ responses }: Operation): string =>
  `<h3>Refusals</h3><p>${prose(responses["4XX"]?.description ?? "")}</p>`;

function schemaPart(name: string, schema: Described): string {
  const forms = schema.oneOf ?? schema.anyOf;
  const parts = forms
    ? forms.flatMap((form) => form.oneOf ?? [form]).map((form) => table(titleOf(form), memberRows(form)))
    : [table("Members", memberRows(schema))];
  return `<details id="schema-${escaped(name)}"><summary><code>${escaped(name)}</code></summary><div>${parts.join("")}</div></details>\n`;
}

/** Title of one variant of a body; a variant is recognised by its type. */
const titleOf = ({ properties = {} }: Described): string =>
  properties["type"] ? `Of the type ${typeText(properties["type"])}` : "Members";

function table(title: string, rows: readonly MemberRow[]): string {
  if (rows.length === 0) return `<h3>${escaped(title)}</h3><p>None.</p>`;
  const lines = rows.map(
    ({ path, type, isNeeded, text }) =>
      `<tr><td><code>${escaped(path)}</code></td><td>${linked(type)}${isNeeded ? "" : ' <span class="faint">optional</span>'}</td><td>${prose(text)}</td></tr>`,
  );
  const headings = "<tr><th>Name</th><th>Type</th><th>Meaning</th></tr>";
  return `<h3>${escaped(title)}</h3><table><thead>${headings}</thead><tbody>${lines.join("")}</tbody></table>`;
}
