import type { Filter, Identifier, MaybeSyntax, Syntax } from "./syntax.ts";

/** Most paths returned for one expression; further ones are left out. */
const MAX_PATHS = 50;
const plainName = /^[A-Za-z_$][\w$]*$/;

/**
 * Paths that an expression reads in its record, each itself an expression: `monitors.load`, `mounts["/data"].use`,
 * `processes.list` for a filter over it. In the order of the source, without duplicates.
 */
export const readPathsOf = (syntax: MaybeSyntax): string[] => {
  const paths = new Set<string>();
  collect(syntax, false, paths);
  return [...paths].slice(0, MAX_PATHS);
};

const collect = (syntax: MaybeSyntax, inFilter: boolean, paths: Set<string>): void => {
  if (!syntax) return;
  const path = pathOf(syntax, inFilter);
  if (path !== undefined) paths.add(path);
  else for (const part of partsOf(syntax)) collect(part, inFilter || isPredicate(syntax, part), paths);
};

/** Undefined = not a plain path from the root. */
const pathOf = (syntax: Syntax, inFilter: boolean): string | undefined => {
  if (syntax.type === "Identifier") return namePath(syntax, inFilter);
  if (syntax.type === "FilterExpression") return indexPath(syntax, inFilter);
  return undefined;
};

const namePath = (syntax: Identifier, inFilter: boolean): string | undefined => {
  // Relative to the current element of a filter.
  if (!syntax.from) return syntax.relative && inFilter ? undefined : syntax.value;
  const base = pathOf(syntax.from, inFilter);
  return base === undefined ? undefined : `${base}.${syntax.value}`;
};

const indexPath = ({ subject, expr, relative }: Filter, inFilter: boolean): string | undefined => {
  const key = expr?.type === "Literal" ? expr.value : undefined;
  if (relative || (typeof key !== "string" && typeof key !== "number")) return undefined;
  const base = pathOf(subject, inFilter);
  if (base === undefined) return undefined;
  return typeof key === "string" && plainName.test(key) ? `${base}.${key}` : `${base}[${JSON.stringify(key)}]`;
};

const isPredicate = (syntax: Syntax, part: MaybeSyntax): boolean =>
  syntax.type === "FilterExpression" && syntax.relative && part === syntax.expr;

const partsOf = (syntax: Syntax): readonly MaybeSyntax[] => {
  switch (syntax.type) {
    case "Literal":
      return [];
    case "Identifier":
      return [syntax.from];
    case "BinaryExpression":
      return [syntax.left, syntax.right];
    case "UnaryExpression":
      return [syntax.right];
    case "ConditionalExpression":
      return [syntax.test, syntax.consequent, syntax.alternate];
    case "FilterExpression":
      return [syntax.subject, syntax.expr];
    case "FunctionCall":
      return syntax.args;
    case "ArrayLiteral":
      return syntax.value;
    case "ObjectLiteral":
      return Object.values(syntax.value);
  }
};
