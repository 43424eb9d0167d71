/** Bounds on the cost of one expression, template or pattern. See docs/contract/expressions.md#limits. */
export const limits = {
  sourceLength: 10_000,
  bracketDepth: 100,
  ternaryDepth: 100,
  filterDepth: 3,
  syntaxDepth: 200,
  steps: 200_000,
  stepsBetweenClockReads: 1000,
  evaluationMs: 200,
  textLength: 256 * 1024,
  compiledExpressions: 5000,
  templateLength: 1024 * 1024,
  macros: 1000,
  expansionSteps: 400_000,
  expansionMs: 2000,
  expansionLength: 16 * 1024 * 1024,
} as const;

export const evaluationLimit = (): Error => new Error("Expression exceeds evaluation limit");
export const nestingLimit = (): Error => new Error("Expression exceeds nesting limit");
export const lengthLimit = (): Error => new Error("Expression exceeds length limit");

/** Throws when a text made by an expression is too long to continue with. */
export const boundedText = (text: string): string => {
  if (text.length > limits.textLength) throw evaluationLimit();
  return text;
};
