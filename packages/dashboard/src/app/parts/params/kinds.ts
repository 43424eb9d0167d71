import type { Choice } from "../forms/fields.tsx";
import { t } from "./texts.ts";

/** Types of questions, as in docs/contract/parameters.md#definitions. */
const TYPES = [
  ...(["text", "textarea", "code", "json", "checkbox", "select"] as const),
  ...(["bucket", "system", "hidden", "toolset", "group"] as const),
];
type Type = (typeof TYPES)[number];
export const typeTitle = (type: Type): string => t(`type.${type}`);
export const typeChoices = (): Choice[] => TYPES.map((value) => ({ value, title: typeTitle(value) }));

const VARIANTS = [
  ...(["text", "number", "date", "time", "datetime-local"] as const),
  ...(["email", "url", "tel", "password", "color"] as const),
];
/** Variants of a text question. */
export const variantChoices = (): Choice[] => VARIANTS.map((value) => ({ value, title: t(`variant.${value}`) }));
