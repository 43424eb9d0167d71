import { rememberSearch } from "../lib/remember-search.ts";
import { boundedText, evaluationLimit, limits } from "./bounds/limits.ts";
import type { CompiledExpression } from "./engine.ts";
import { toText } from "./text-formats.ts";

/** Where a macro is in its template. */
export interface MacroPosition {
  /** True inside a string literal of a JSON body. */
  readonly inJsonText: boolean;
}

/** The work of texts that are expanded together, which have the bounds of one text. */
export interface Spent {
  steps: number;
  ms: number;
}

/** Options of expanding a template. */
export interface ExpandOptions {
  /** Text for undefined values; empty by default. */
  readonly undefinedText?: string;
  /** Transforms each value before it becomes text, for example `encodeUriValue`. */
  readonly filter?: (value: unknown) => unknown;
  /** Transforms the text of each macro before it is inserted; `value` is its source. */
  readonly escape?: (text: string, position: MacroPosition, value: unknown) => string;
  /** Adds to the work of texts expanded earlier; by default a text starts at zero. */
  readonly spent?: Spent;
}

/** A text with `{{ expression }}` macros, parsed once. */
export interface CompiledTemplate {
  /** The expressions of all macros, in order of appearance. */
  readonly macros: readonly string[];
  /** Macros that are invalid expressions, and the first macro beyond the limit, for the check on save. */
  readonly errors: readonly { readonly macro: string; readonly error: Error }[];
  /** Replaces each macro once; values are never scanned for macros. Never throws: errors appear in the text. */
  expand(context: unknown, options?: ExpandOptions): string;
}

interface Macro extends MacroPosition {
  readonly source: string;
  readonly evaluate: CompiledExpression["evaluate"];
  /** Steps of the last evaluation. */
  readonly steps: () => number;
  /** The literal text up to the next macro. */
  readonly textAfter: string;
}

type Work = Pick<Macro, "evaluate" | "steps">;

interface TemplateServices {
  readonly compile: (source: string) => CompiledExpression;
  readonly monotonic: () => number;
  /** Steps of the last evaluation. */
  readonly steps: () => number;
}

const lineBreak = /[\n\r\u2028\u2029]/g;

const indexOfLineBreak = (text: string, start: number): number => {
  lineBreak.lastIndex = start;
  return lineBreak.exec(text)?.index ?? text.length;
};

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds `{{…}}` (shortest match, on one line), at most one more than a template may have. Visits each position of any text a
 * bounded number of times.
 */
const findMacros = (text: string): Span[] => {
  const spans: Span[] = [];
  const closeAfter = rememberSearch((from) => {
    const index = text.indexOf("}}", from);
    return index === -1 ? Number.POSITIVE_INFINITY : index;
  });
  const lineEndAfter = rememberSearch((from) => indexOfLineBreak(text, from));
  let open = text.indexOf("{{");
  while (open !== -1 && spans.length <= limits.macros) {
    const start = open + 2;
    const end = closeAfter(start + 1);
    if (end === Number.POSITIVE_INFINITY) break;
    let next = end + 2;
    if (text.startsWith("}}", start)) next = start + 2;
    else if (lineEndAfter(start) < end) next = lineEndAfter(start);
    else spans.push({ start, end });
    open = text.indexOf("{{", next);
  }
  return spans;
};

/** Follows the quotes of a JSON body over one stretch of literal text. */
const endsInJsonText = (text: string, startsInside: boolean): boolean => {
  let inside = startsInside;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '"') inside = !inside;
    else if (inside && text[index] === "\\") index++;
  }
  return inside;
};

/** Only names and messages: a stack would reveal things about the host. */
const describeError = (error: unknown, source: string): string => {
  if (/\bsecrets\b/.test(source)) return "(ERROR)";
  return error instanceof Error ? `(ERROR: ${error.name}: ${error.message})` : `(ERROR: ${toText(error)})`;
};

/** Compact JSON for records and lists, plain text for everything else. */
const toMacroText = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : toText(value);

/** A filter for URLs: each value becomes URI-encoded text. */
export const encodeUriValue = (value: unknown): string => encodeURIComponent(toMacroText(value).toWellFormed());

const expandMacro = (macro: Macro, context: unknown, options: ExpandOptions): string => {
  let text: string;
  let value: unknown;
  try {
    value = macro.evaluate(context);
    if (value === undefined) value = options.undefinedText ?? "";
    if (options.filter) value = options.filter(value);
    text = boundedText(toMacroText(value));
  } catch (error) {
    text = describeError(error, macro.source);
    value = text;
  }
  return options.escape ? options.escape(text, macro, value) : text;
};

const failing = (error: Error): Work => ({
  evaluate() {
    throw error;
  },
  steps: () => 0,
});

/** Creates the error only when it is thrown: its stack would cost as much as the rest of a template. */
const refuse = (): never => {
  throw evaluationLimit();
};

/** Bounds the sum too: a thousand macros that each use the whole limit would block the host for seconds. */
const isSpent = ({ steps, ms }: Spent): boolean => steps > limits.expansionSteps || ms > limits.expansionMs;

const createExpand = (head: string, macros: readonly Macro[], { monotonic }: TemplateServices) => {
  return (context: unknown, options: ExpandOptions = {}): string => {
    const { spent = { steps: 0, ms: 0 } } = options;
    let text = head;
    let before = monotonic();
    for (const macro of macros) {
      const late = text.length > limits.expansionLength || isSpent(spent);
      text += expandMacro(late ? { ...macro, evaluate: refuse } : macro, context, options) + macro.textAfter;
      if (!late) spent.steps += macro.steps();
      const now = monotonic();
      spent.ms += now - before;
      before = now;
    }
    return text;
  };
};

const tooManyMacros = (): Error => new Error(`Template exceeds length limit (${limits.macros} macros)`);

/** Compiles a template; the services belong to the instance. */
export const compileTemplateWith = (text: string, services: TemplateServices): CompiledTemplate => {
  if (text.length > limits.templateLength) throw new Error("Template exceeds length limit");
  const found = findMacros(text);
  const spans = found.slice(0, limits.macros);
  const errors: { macro: string; error: Error }[] = [];
  const compileMacro = (source: string): Work => {
    try {
      return { evaluate: services.compile(source).evaluate, steps: services.steps };
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(toText(cause));
      errors.push({ macro: source, error });
      return failing(error);
    }
  };
  const head = text.slice(0, (spans[0]?.start ?? text.length + 2) - 2);
  let inJsonText = endsInJsonText(head, false);
  const macros = spans.map(({ start, end }, index): Macro => {
    const source = text.slice(start, end);
    const textAfter = text.slice(end + 2, (spans[index + 1]?.start ?? text.length + 2) - 2);
    const macro = { source, ...compileMacro(source), textAfter, inJsonText };
    inJsonText = endsInJsonText(textAfter, inJsonText);
    return macro;
  });
  for (const { start, end } of found.slice(limits.macros))
    errors.push({ macro: text.slice(start, end), error: tooManyMacros() });
  return { macros: macros.map((macro) => macro.source), errors, expand: createExpand(head, macros, services) };
};

const escapeForJson = (text: string, { inJsonText }: MacroPosition, value: unknown): string => {
  if (inJsonText) return JSON.stringify(text).slice(1, -1);
  // JSON writes NaN and Infinity as null.
  return typeof value === "number" ? JSON.stringify(value) : text;
};

/** Expands the JSON body of a web hook: escapes macros inside string literals, and keeps numbers and records as JSON. */
export const expandJsonBody = (
  template: CompiledTemplate,
  context: unknown,
  options: Omit<ExpandOptions, "escape"> = {},
): string => template.expand(context, { ...options, escape: escapeForJson });
