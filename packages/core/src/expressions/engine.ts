import jexl from "jexl";
import { messageOf } from "../lib/message-of.ts";
import { systemClock } from "../ports/clock.ts";
import { createBudget, resetBudget } from "./bounds/budget.ts";
import { limits } from "./bounds/limits.ts";
import type { ExpressionFunction } from "./compile/calls.ts";
import { compileSyntax, type Vocabulary } from "./compile/compile.ts";
import { createOperators } from "./compile/operators.ts";
import { rootOf } from "./compile/paths.ts";
import { createFunctions, type ExpressionLookups } from "./functions.ts";
import { readPathsOf } from "./read-paths.ts";
import { createRegexCache, type OnRegexTimeout, type RegexCache } from "./regex/regex.ts";
import { checkSource, type MaybeSyntax, type Syntax } from "./syntax.ts";
import { type CompiledTemplate, compileTemplateWith } from "./template.ts";

/** An expression, parsed and compiled once. */
export interface CompiledExpression {
  readonly source: string;
  /**
   * Computes the value over a plain record; anything else counts as an empty record. Synchronous, never a function.
   * @throws Error on a missing function, a member of nothing, or work beyond the limits
   */
  evaluate(data: unknown): unknown;
}

/** Options of `createExpressions`. */
export interface ExpressionsOptions {
  /** Additional functions by name; a name that already exists is refused. */
  readonly functions?: Readonly<Record<string, ExpressionFunction>>;
  /** Locale of `number()`, `en-US` unless given. */
  readonly locale?: string;
  /** Look up titles for `server()` and `event()`. */
  readonly lookups?: ExpressionLookups;
  /** Milliseconds of a monotonic clock, for the limit of 200 ms. */
  readonly monotonic?: () => number;
  /** Called when `match()` gives up on a pattern, at most once per pattern and hour. */
  readonly onRegexTimeout?: OnRegexTimeout;
}

/** Expressions and templates of one service instance, with their functions and caches. */
export interface Expressions {
  /** Compiles an expression; throws with the reason when it is invalid or exceeds a limit. */
  compile(source: string): CompiledExpression;
  /** Compiles a text with `{{ expression }}` macros; throws only when it is longer than 1 MiB. */
  compileTemplate(text: string): CompiledTemplate;
  /** Paths that an expression reads, each itself an expression; throws like `compile`. */
  pathsOf(source: string): string[];
  /** Names of all functions, in alphabetical order. */
  readonly functionNames: readonly string[];
  /** User patterns, bounded in time. */
  readonly regexes: RegexCache;
}

const namePattern = /^[A-Za-z_$][\w$]*$/;
const reservedNames = new Set(["true", "false", "in", ...Object.getOwnPropertyNames(Object.prototype)]);

const mapHostFunctions = (
  functions: Readonly<Record<string, ExpressionFunction>>,
  builtins: ReadonlyMap<string, ExpressionFunction>,
): ReadonlyMap<string, ExpressionFunction> => {
  for (const [name, implementation] of Object.entries(functions)) {
    if (builtins.has(name)) throw new Error(`Expression function ${name} exists already`);
    if (!namePattern.test(name) || reservedNames.has(name)) {
      throw new Error(`Expression function ${name} needs a name that an expression can hold`);
    }
    if (typeof implementation !== "function") throw new TypeError(`Expression function ${name} is not a function`);
  }
  return new Map(Object.entries(functions));
};

const parse = (parser: InstanceType<typeof jexl.Jexl>, source: string): Syntax => {
  const syntax = parser.createExpression(source).compile()._ast as MaybeSyntax;
  if (!syntax) throw new SyntaxError("Expression is empty");
  return syntax;
};

/** Makes the expressions of one service instance; nothing is shared with other instances. */
export const createExpressions = (options: ExpressionsOptions = {}): Expressions => {
  const monotonic = options.monotonic ?? systemClock.monotonicMs;
  const budget = createBudget(monotonic);
  const regexes = createRegexCache({ monotonic, onTimeout: options.onRegexTimeout });
  const { locale = "en-US", lookups = {} } = options;
  const builtins = createFunctions({ budget, regexes, locale, lookups });
  const hostFunctions = mapHostFunctions(options.functions ?? {}, builtins);
  const vocabulary: Vocabulary = { builtins, hostFunctions, operators: createOperators(budget), budget };
  const parser = new jexl.Jexl();
  const compiled = new Map<string, CompiledExpression>();

  const compileAnew = (source: string): CompiledExpression => {
    checkSource(source);
    const run = compileSyntax(parse(parser, source), vocabulary);
    const evaluate = (data: unknown): unknown => {
      resetBudget(budget);
      const root = rootOf(data);
      return run(root, root);
    };
    return { source, evaluate };
  };
  const compile = (source: string): CompiledExpression => {
    const known = compiled.get(source);
    if (known) return known;
    const expression = compileAnew(source);
    compiled.set(source, expression);
    const [oldest] = compiled.keys();
    if (compiled.size > limits.compiledExpressions && oldest !== undefined) compiled.delete(oldest);
    return expression;
  };
  return {
    compile,
    compileTemplate: (text) => compileTemplateWith(text, { compile, monotonic, steps: () => budget.steps }),
    pathsOf(source) {
      checkSource(source);
      return readPathsOf(parse(parser, source));
    },
    functionNames: [...builtins.keys(), ...hostFunctions.keys()].sort(),
    regexes,
  };
};

/** The message of the first error in a text with macros, or undefined. */
export function templateFault(text: string, expressions: Pick<Expressions, "compileTemplate">): string | undefined {
  try {
    return expressions.compileTemplate(text).errors[0]?.error.message;
  } catch (error) {
    return messageOf(error);
  }
}
