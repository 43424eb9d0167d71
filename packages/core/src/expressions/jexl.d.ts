// jexl ships no types; only the parser is used.
declare module "jexl" {
  interface JexlExpression {
    compile(): JexlExpression;
    evalSync(context?: unknown): unknown;
    readonly _ast: unknown;
  }
  class Jexl {
    createExpression(source: string): JexlExpression;
    addFunction(name: string, implementation: (...args: never[]) => unknown): void;
    evalSync(source: string, context?: unknown): unknown;
  }
  const jexl: Jexl & { readonly Jexl: typeof Jexl };
  export = jexl;
}
