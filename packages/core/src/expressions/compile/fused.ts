import type { Run } from "../members.ts";
import type { Apply } from "./operators.ts";

/** Fuses an operator and its two sides into one closure; `apply` handles what the fast test does not. */
type Fuse = (left: Run, right: Run, apply: Apply) => Run;

// One closure per operator, each with its own fast test: a shared closure that receives the operation would cost a second call
// per node, the very cost that compiled expressions save.
const general: Readonly<Record<string, Fuse>> = {
  "+": (left, right, apply) => (relative, root) => {
    const a = left(relative, root);
    const b = right(relative, root);
    return typeof a === "number" && typeof b === "number" ? a + b : apply(a, b);
  },
  "-": (left, right, apply) => (relative, root) => {
    const a = left(relative, root);
    const b = right(relative, root);
    return typeof a === "number" && typeof b === "number" ? a - b : apply(a, b);
  },
  "*": (left, right, apply) => (relative, root) => {
    const a = left(relative, root);
    const b = right(relative, root);
    return typeof a === "number" && typeof b === "number" ? a * b : apply(a, b);
  },
  "/": (left, right, apply) => (relative, root) => {
    const a = left(relative, root);
    const b = right(relative, root);
    return typeof a === "number" && typeof b === "number" ? a / b : apply(a, b);
  },
  ">": (left, right, apply) => (relative, root) => {
    const a = left(relative, root);
    const b = right(relative, root);
    return typeof a === "number" && typeof b === "number" ? a > b : apply(a, b);
  },
  ">=": (left, right, apply) => (relative, root) => {
    const a = left(relative, root);
    const b = right(relative, root);
    return typeof a === "number" && typeof b === "number" ? a >= b : apply(a, b);
  },
  "<": (left, right, apply) => (relative, root) => {
    const a = left(relative, root);
    const b = right(relative, root);
    return typeof a === "number" && typeof b === "number" ? a < b : apply(a, b);
  },
  "<=": (left, right, apply) => (relative, root) => {
    const a = left(relative, root);
    const b = right(relative, root);
    return typeof a === "number" && typeof b === "number" ? a <= b : apply(a, b);
  },
  "==": (left, right, apply) => (relative, root) => {
    const a = left(relative, root);
    const b = right(relative, root);
    return typeof a === "string" && typeof b === "string" ? a === b : apply(a, b);
  },
};

type FuseNumber = (left: Run, number: number, apply: Apply) => Run;

const withNumber: Readonly<Record<string, FuseNumber>> = {
  "+": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a + number : apply(a, number);
  },
  "-": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a - number : apply(a, number);
  },
  "*": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a * number : apply(a, number);
  },
  "/": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a / number : apply(a, number);
  },
  ">": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a > number : apply(a, number);
  },
  ">=": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a >= number : apply(a, number);
  },
  "<": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a < number : apply(a, number);
  },
  "<=": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a <= number : apply(a, number);
  },
  "==": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a === number : apply(a, number);
  },
  "!=": (left, number, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "number" ? a !== number : apply(a, number);
  },
};

type FuseText = (left: Run, text: string, apply: Apply) => Run;

const withText: Readonly<Record<string, FuseText>> = {
  "==": (left, text, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "string" ? a === text : apply(a, text);
  },
  "!=": (left, text, apply) => (relative, root) => {
    const a = left(relative, root);
    return typeof a === "string" ? a !== text : apply(a, text);
  },
};

const minusFrom =
  (number: number, right: Run, apply: Apply): Run =>
  (relative, root) => {
    const b = right(relative, root);
    return typeof b === "number" ? number - b : apply(number, b);
  };

const generalFallback: Fuse = (left, right, apply) => (relative, root) => {
  const a = left(relative, root);
  return apply(a, right(relative, root));
};

/** `value in ['a', 'b']`: builds the list once. */
export const fuseChoice =
  (value: Run, choices: readonly unknown[]): Run =>
  (relative, root) =>
    choices.includes(value(relative, root));

/** A side of an operator: the function that computes it and, for literals, its value. */
export interface Side {
  readonly run: Run;
  readonly literal?: unknown;
}

/** Builds the fastest closure for `left operator right`. */
export const fuseBinary = (operator: string, left: Side, right: Side, apply: Apply): Run => {
  if (typeof right.literal === "number") {
    const fuse = withNumber[operator];
    if (fuse) return fuse(left.run, right.literal, apply);
  }
  if (typeof right.literal === "string") {
    const fuse = withText[operator];
    if (fuse) return fuse(left.run, right.literal, apply);
  }
  if (operator === "-" && typeof left.literal === "number") return minusFrom(left.literal, right.run, apply);
  return (general[operator] ?? generalFallback)(left.run, right.run, apply);
};
