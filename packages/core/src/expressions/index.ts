export type { ExpressionFunction } from "./calls.ts";
export type { CompiledExpression, Expressions, ExpressionsOptions } from "./engine.ts";
export { createExpressions } from "./engine.ts";
export type { ExpressionLookups } from "./functions.ts";
export type { CompiledRegex, OnRegexTimeout, RegexCache, RegexCacheOptions } from "./regex.ts";
export { compileRegex, createRegexCache } from "./regex.ts";
export type { CompiledTemplate, ExpandOptions, MacroPosition } from "./template.ts";
export { encodeUriValue, expandJsonBody } from "./template.ts";
