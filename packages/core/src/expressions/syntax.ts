import { lengthLimit, limits, nestingLimit } from "./bounds/limits.ts";

/** The syntax tree that the parser makes. Parts that the parser allows to be missing are null or absent. */
export type Syntax =
  | { readonly type: "Literal"; readonly value: string | number | boolean }
  | Identifier
  | Binary
  | { readonly type: "UnaryExpression"; readonly operator: string; readonly right: Syntax }
  | {
      readonly type: "ConditionalExpression";
      readonly test: MaybeSyntax;
      readonly consequent?: MaybeSyntax;
      readonly alternate?: MaybeSyntax;
    }
  | Filter
  | FunctionCall
  | { readonly type: "ArrayLiteral"; readonly value: readonly Syntax[] }
  | { readonly type: "ObjectLiteral"; readonly value: Readonly<Record<string, MaybeSyntax>> };

export type MaybeSyntax = Syntax | null | undefined;

export interface Identifier {
  readonly type: "Identifier";
  readonly value: string;
  readonly from?: Syntax;
  readonly relative?: boolean;
}

export interface Binary {
  readonly type: "BinaryExpression";
  readonly operator: string;
  readonly left: Syntax;
  readonly right: Syntax;
}

export interface Filter {
  readonly type: "FilterExpression";
  readonly subject: Syntax;
  readonly expr: MaybeSyntax;
  readonly relative: boolean;
}

export interface FunctionCall {
  readonly type: "FunctionCall";
  readonly name: string;
  readonly args: readonly Syntax[];
  readonly pool: "functions" | "transforms";
}

// Matches string literals exactly as the lexer does, so that neither side sees brackets that the other takes for text.
const textOrMark = /'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|[()[\]{},?]/g;

/**
 * Counts the open brackets and conditionals at one point of a source. Conditionals stay open until their bracket closes
 * or a comma ends them.
 */
const createDepthMeter = () => {
  const conditionals = [0];
  let open = 0;
  const closeConditionals = (): void => {
    open -= conditionals.pop() ?? 0;
  };
  return {
    enter: () => {
      if (conditionals.push(0) - 1 > limits.bracketDepth) throw nestingLimit();
    },
    leave: () => {
      if (conditionals.length > 1) closeConditionals();
    },
    separate: () => {
      closeConditionals();
      conditionals.push(0);
    },
    ask: () => {
      conditionals.push((conditionals.pop() ?? 0) + 1);
      if (++open > limits.ternaryDepth) throw nestingLimit();
    },
  };
};

/** Refuses sources that would take seconds to parse: the parser is quadratic in the depth of nesting. */
export const checkSource = (source: string): void => {
  if (source.length > limits.sourceLength) throw lengthLimit();
  const meter = createDepthMeter();
  for (const [mark] of source.matchAll(textOrMark)) {
    if (mark === "?") meter.ask();
    else if (mark === ",") meter.separate();
    else if ("([{".includes(mark)) meter.enter();
    else if (")]}".includes(mark)) meter.leave();
  }
};
