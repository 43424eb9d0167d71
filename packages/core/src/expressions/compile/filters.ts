import { type Budget, charge } from "../bounds/budget.ts";
import { type Data, listOf, type Run } from "../members.ts";

/** Elements charged for at once: often enough to notice the limits, rarely enough to cost nothing. */
const chunk = 200;

/** A filter inside an expression: its list, the condition on each element, and the steps that one element costs. */
export interface FilterParts {
  readonly subject: Run;
  readonly predicate: Run;
  readonly stepsPerElement: number;
}

/**
 * Record that relative names are read from. JEXL uses the root for a falsy element, and does not look into an element that is an
 * array: only its length is readable then.
 */
const relativeTo = (element: unknown, root: Data): Data => {
  if (!element) return root;
  return Array.isArray(element) ? { length: element.length } : (element as Data);
};

/** `list[.member == 1]`: the elements for which the predicate holds. */
export const runFilter = (parts: FilterParts, budget: Budget): Run => {
  const { subject, predicate, stepsPerElement } = parts;
  return (relative, root) => {
    const list = listOf(subject(relative, root));
    const kept: unknown[] = [];
    for (let start = 0; start < list.length; start += chunk) {
      const end = Math.min(start + chunk, list.length);
      charge(budget, (end - start) * stepsPerElement);
      for (let index = start; index < end; index++) {
        const element = list[index];
        if (predicate(relativeTo(element, root), root)) kept.push(element);
      }
    }
    return kept;
  };
};

/** `count(list[.member == 1])` without building the list. */
export const runCount = (parts: FilterParts, budget: Budget): Run => {
  const { subject, predicate, stepsPerElement } = parts;
  return (relative, root) => {
    const list = listOf(subject(relative, root));
    let count = 0;
    for (let start = 0; start < list.length; start += chunk) {
      const end = Math.min(start + chunk, list.length);
      charge(budget, (end - start) * stepsPerElement);
      for (let index = start; index < end; index++) {
        if (predicate(relativeTo(list[index], root), root)) count++;
      }
    }
    return count;
  };
};
