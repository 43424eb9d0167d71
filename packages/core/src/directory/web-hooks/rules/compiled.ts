import type { CompiledTemplate, Expressions } from "../../../expressions/index.ts";
import { expandJsonBody } from "../../../expressions/index.ts";
import type { HookTexts } from "../model.ts";
import { REDACTED } from "./redact.ts";

interface Templates {
  readonly url: CompiledTemplate;
  readonly headers: readonly { readonly name: string; readonly value: CompiledTemplate }[];
  readonly body: CompiledTemplate;
}

/** A hook with parsed templates. */
export interface CompiledHook extends Templates {
  /**
   * The URL with all macros except secrets replaced by fixed words, which yields the only allowed host
   * (docs/contract/expressions.md#insertion).
   */
  readonly pinned: readonly CompiledTemplate[];
  /**
   * Templates for people, in which macros that name secrets are replaced (docs/contract/secrets.md#in-web-hooks). Undefined = the
   * hook names no secrets.
   */
  readonly shown: Templates | undefined;
  /** Names of the headers whose templates name secrets, and whether the body does: no other origin receives them. */
  readonly secretParts: { readonly headers: readonly string[]; readonly body: boolean };
}

/** The request that is sent, with its macros expanded. */
export interface ExpandedHook {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Absent for GET and HEAD, and when it is blank. */
  readonly body: string | undefined;
}

export function compileHook(hook: HookTexts, expressions: Expressions): CompiledHook {
  const { url } = hook;
  const compile = (text: string) => expressions.compileTemplate(text);
  const replaced = (text: string, replace: ReplaceMacro) => compile(replaceMacros(text, compile(text).macros, replace));
  const templates = (make: (text: string) => CompiledTemplate): Templates => ({
    url: make(url),
    headers: (hook.headers ?? []).map(({ name, value }) => ({ name, value: make(value) })),
    body: make(hook.body ?? ""),
  });
  const plain = templates(compile);
  const secretHeaders = plain.headers.filter(({ value }) => namesSecrets(value)).map(({ name }) => name);
  const secretParts = { headers: secretHeaders, body: namesSecrets(plain.body) };
  const hasSecrets = secretHeaders.length > 0 || secretParts.body || namesSecrets(plain.url);
  return {
    ...plain,
    // Uses two words: a macro that affects the host then yields two hosts, whatever its value is.
    pinned: ["x", "y"].map((word) => replaced(url, (macro) => (SECRET.test(macro) ? undefined : word))),
    shown: hasSecrets
      ? templates((text) => replaced(text, (macro) => (/\bsecrets\b/.test(macro) ? REDACTED : undefined)))
      : undefined,
    secretParts,
  };
}

/** A macro that is only a secret, plain or encoded, may supply the host or the whole URL. */
const SECRET = /^\s*(?:secrets\.\w+|(?:encode|stringify)\(\s*secrets\.\w+\s*\))\s*$/;

const namesSecrets = ({ macros }: CompiledTemplate): boolean => macros.some((macro) => /\bsecrets\b/.test(macro));

/** Returns the text for a macro; undefined = the macro stays. */
type ReplaceMacro = (macro: string) => string | undefined;

function replaceMacros(text: string, macros: readonly string[], replace: ReplaceMacro): string {
  let out = "";
  let rest = text;
  for (const macro of macros) {
    const whole = `{{${macro}}}`;
    const at = rest.indexOf(whole);
    out += rest.slice(0, at) + (replace(macro) ?? whole);
    rest = rest.slice(at + whole.length);
  }
  return out + rest;
}

/**
 * Describes the first macro that does not compile, "body: <id>: <error>"; undefined when all do
 * (docs/contract/web-hooks.md#checks).
 */
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
  /** Replaces undefined macros. */
  readonly undefinedText: string;
  readonly dynamicHost: boolean;
}

/** Expands a hook. Throws `Error` for an address or a header that may not be sent. */
export function expandHook(compiled: CompiledHook, options: ExpandHookOptions): ExpandedHook {
  const expanded = expandTemplates(compiled, options);
  checkAddress(expanded.url, compiled, options);
  for (const [name, text] of expanded.headers)
    if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) throw new Error(`Invalid characters in header value: ${name}`);
  return expanded;
}

/** The request for people to read; undefined when it contains no secrets. */
export function showHook({ shown }: CompiledHook, options: ExpandHookOptions): ExpandedHook | undefined {
  return shown && expandTemplates(shown, { ...options, context: { ...options.context, secrets: {} } });
}

function expandTemplates(templates: Templates, { context, method, undefinedText }: ExpandHookOptions): ExpandedHook {
  const url = templates.url.expand(context, { undefinedText });
  const headers = templates.headers.map(({ name, value }): [string, string] => [
    name,
    value.expand(context, { undefinedText, escape: withoutControls }),
  ]);
  if (/^(?:get|head)$/i.test(method)) return { url, headers, body: undefined };
  const isJson = headers.some(([name, value]) => /^content-type$/i.test(name) && /[/+]json\b/i.test(value));
  const body = isJson
    ? expandJsonBody(templates.body, context, { undefinedText })
    : templates.body.expand(context, { undefinedText });
  return { url, headers, body: /\S/.test(body) ? body : undefined };
}

/** Removes control characters, so that a value cannot add header lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are to be removed
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
