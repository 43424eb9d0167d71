import type { CompiledTemplate, Expressions } from "../../../expressions/index.ts";
import { expandJsonBody } from "../../../expressions/index.ts";
import type { HookTexts } from "../model.ts";

/** A hook with its templates parsed. */
export interface CompiledHook {
  readonly url: CompiledTemplate;
  /** The url with fixed words in place of all macros but secrets: what the host may be (part 24 §6.3). */
  readonly pinned: readonly CompiledTemplate[];
  readonly headers: readonly { readonly name: string; readonly value: CompiledTemplate }[];
  readonly body: CompiledTemplate;
}

/** What goes over the wire, macros expanded. */
export interface ExpandedHook {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Absent for GET and HEAD and for blank bodies. */
  readonly body: string | undefined;
}

export function compileHook(hook: HookTexts, expressions: Expressions): CompiledHook {
  const compile = (text: string) => expressions.compileTemplate(text);
  return {
    url: compile(hook.url),
    // Two words: a macro that reaches into the host gives two hosts, whatever its value is.
    pinned: ["x", "y"].map((word) => compile(pin(hook.url, compile(hook.url).macros, word))),
    headers: (hook.headers ?? []).map(({ name, value }) => ({ name, value: compile(value) })),
    body: compile(hook.body ?? ""),
  };
}

/** A secret alone, or encoded, may supply host or whole url (part 14 §2.3). */
const SECRET = /^\s*(?:secrets\.\w+|(?:encode|stringify)\(\s*secrets\.\w+\s*\))\s*$/;

function pin(url: string, macros: readonly string[], word: string): string {
  let out = "";
  let rest = url;
  for (const macro of macros) {
    const whole = `{{${macro}}}`;
    const at = rest.indexOf(whole);
    out += rest.slice(0, at) + (SECRET.test(macro) ? whole : word);
    rest = rest.slice(at + whole.length);
  }
  return out + rest;
}

/** The text of the first macro that does not compile: "body: <id>: <error>"; undefined when all do (part 14 §2.2). */
export function compileFault(hook: HookTexts, expressions: Expressions): string | undefined {
  const parts: [string, string][] = [
    ["body", hook.body ?? ""],
    ["url", hook.url],
    ...(hook.headers ?? []).map(({ value }): [string, string] => ["header", value]),
  ];
  for (const [part, text] of parts) {
    const error = templateError(text, expressions);
    if (error) return `Failed to compile macro in ${part}: ${hook.id}: ${String(error)}`;
  }
  return undefined;
}

function templateError(text: string, expressions: Expressions): unknown {
  try {
    return expressions.compileTemplate(text).errors[0]?.error;
  } catch (error) {
    return error;
  }
}

export interface ExpandHookOptions {
  readonly method: string;
  readonly context: Readonly<Record<string, unknown>>;
  /** Stands for undefined macros. */
  readonly undefinedText: string;
  readonly dynamicHost: boolean;
}

/** Expands a hook. Throws `Error` for an address or a header that may not be sent. */
export function expandHook(compiled: CompiledHook, options: ExpandHookOptions): ExpandedHook {
  const { context, method, undefinedText } = options;
  const url = compiled.url.expand(context, { undefinedText });
  checkAddress(url, compiled, options);
  const headers = compiled.headers.map(({ name, value }): [string, string] => {
    const text = value.expand(context, { undefinedText, escape: withoutControls });
    if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) throw new Error(`Invalid characters in header value: ${name}`);
    return [name, text];
  });
  if (/^(?:get|head)$/i.test(method)) return { url, headers, body: undefined };
  const isJson = headers.some(([name, value]) => /^content-type$/i.test(name) && /[/+]json\b/i.test(value));
  const body = isJson
    ? expandJsonBody(compiled.body, context, { undefinedText })
    : compiled.body.expand(context, { undefinedText });
  return { url, headers, body: /\S/.test(body) ? body : undefined };
}

/** Values may not smuggle in further header lines (part 24 §6.3). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const withoutControls = (text: string): string => text.replace(/[\x00-\x1f\x7f]/g, "");

function checkAddress(url: string, { pinned }: CompiledHook, options: ExpandHookOptions): void {
  const address = parseUrl(url);
  if (!address || !/^https?:$/.test(address.protocol)) throw new Error("The URL must begin with http:// or https://");
  if (options.dynamicHost) return;
  const { context, undefinedText } = options;
  const origins = pinned.map((template) => parseUrl(template.expand(context, { undefinedText }))?.origin);
  if (origins.some((origin) => origin !== address.origin))
    throw new Error("The host of the URL may not come from a macro, except from a secret");
}

const parseUrl = (text: string): URL | undefined => URL.parse(text) ?? undefined;
