export type { ExpressionFunction } from "./compile/calls.ts";
export type { CompiledExpression, Expressions, ExpressionsOptions } from "./engine.ts";
export { createExpressions, templateFault } from "./engine.ts";
export type { CompiledRegex } from "./regex/regex.ts";
export { compileRegex, requireQuick } from "./regex/regex.ts";
export { compileLineFilter, type LineFilter } from "./regex/regex-lines.ts";
export { compilesQuickly } from "./regex/regex-ways.ts";
export type { CompiledTemplate } from "./template.ts";
export { encodeUriValue, expandJsonBody } from "./template.ts";
