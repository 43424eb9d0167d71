import { type Budget, charge } from "../bounds/budget.ts";
import { boundedText } from "../bounds/limits.ts";

/** Computes an operator for any two values, as JavaScript does. */
export type Apply = (left: unknown, right: unknown) => unknown;

/** Converting a list to text costs far more than a step, so it counts as this many. */
const coercionSteps = 50;

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

// The language is loosely typed on purpose: stored expressions keep the meaning they have in JEXL.
const asNumber = (value: unknown): number => value as number;

// biome-ignore lint/suspicious/noDoubleEquals: equality of the language is loose
const looselyEqual: Apply = (left, right) => left == right;

const plain: Readonly<Record<string, Apply>> = {
  "-": (left, right) => asNumber(left) - asNumber(right),
  "*": (left, right) => asNumber(left) * asNumber(right),
  "/": (left, right) => asNumber(left) / asNumber(right),
  "//": (left, right) => Math.floor(asNumber(left) / asNumber(right)),
  "%": (left, right) => asNumber(left) % asNumber(right),
  "^": (left, right) => asNumber(left) ** asNumber(right),
  ">": (left, right) => asNumber(left) > asNumber(right),
  ">=": (left, right) => asNumber(left) >= asNumber(right),
  "<": (left, right) => asNumber(left) < asNumber(right),
  "<=": (left, right) => asNumber(left) <= asNumber(right),
  "==": looselyEqual,
  "!=": (left, right) => !looselyEqual(left, right),
};

/** Every operator that evaluates both sides, with the hidden work of conversions counted. */
export const createOperators = (budget: Budget): ReadonlyMap<string, Apply> => {
  const chargeCoercion = (left: unknown, right: unknown): void => {
    if (isObject(left) || isObject(right)) charge(budget, coercionSteps);
  };
  const counted = (apply: Apply): Apply => {
    return (left, right) => {
      chargeCoercion(left, right);
      return apply(left, right);
    };
  };
  const add: Apply = (left, right) => {
    chargeCoercion(left, right);
    const sum: unknown = asNumber(left) + asNumber(right);
    if (typeof sum !== "string") return sum;
    charge(budget, sum.length >> 6);
    return boundedText(sum);
  };
  const contains: Apply = (element, container) => {
    if (typeof container === "string") {
      chargeCoercion(element, undefined);
      charge(budget, container.length >> 6);
      return container.indexOf(element as string) !== -1;
    }
    if (!Array.isArray(container)) return false;
    charge(budget, container.length);
    return container.indexOf(element) !== -1;
  };
  const operators = Object.entries(plain).map(([name, apply]) => [name, counted(apply)] as const);
  return new Map([...operators, ["+", add], ["in", contains]]);
};
