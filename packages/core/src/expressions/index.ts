export type { ExpressionFunction } from "./calls.ts";
export type { CompiledExpression, Expressions, ExpressionsOptions } from "./engine.ts";
export { createExpressions, templateFault } from "./engine.ts";
export type { CompiledRegex } from "./regex.ts";
export { compileRegex } from "./regex.ts";
export { compileLineFilter, type LineFilter } from "./regex-lines.ts";
export { compilesQuickly } from "./regex-ways.ts";
export type { CompiledTemplate } from "./template.ts";
export { encodeUriValue, expandJsonBody } from "./template.ts";
