import type { Run } from "../members.ts";

export type Logical = "&&" | "||";

type Join = (left: Run, right: Run) => Run;

const and: Join = (left, right) => (relative, root) => {
  const value = left(relative, root);
  return value ? right(relative, root) : value;
};

const or: Join = (left, right) => (relative, root) => {
  const value = left(relative, root);
  return value ? value : right(relative, root);
};

const longChain = 8;

/** `a && b || c …`, strictly from left to right. Long chains run in a loop: nested calls would exhaust the stack. */
export const chainLogical = (first: Run, rest: readonly { operator: Logical; run: Run }[]): Run => {
  if (rest.length <= longChain) {
    return rest.reduce<Run>((left, { operator, run }) => (operator === "&&" ? and : or)(left, run), first);
  }
  return (relative, root) => {
    let value = first(relative, root);
    for (const { operator, run } of rest) {
      if (Boolean(value) === (operator === "&&")) value = run(relative, root);
    }
    return value;
  };
};
