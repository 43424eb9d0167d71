import type { Cradle } from "../../../kernel/container.ts";
import { groupCollection } from "../../groups/collection.ts";
import type { PatternTest } from "../../groups/rules/membership.ts";
import type { Grouping } from "../rules/connect.ts";

/** The current groups with a bounded matcher; an invalid pattern matches nothing and is logged once. */
export function createGrouping({ definitions, expressions, log }: Pick<Cradle, "definitions" | "expressions" | "log">) {
  const reported = new Set<string>();
  const test: PatternTest = (pattern, subject) => {
    try {
      return expressions.regexes.compile(pattern).test(subject);
    } catch (error) {
      if (reported.size < 1000 && !reported.has(pattern)) {
        reported.add(pattern);
        log.error({ pattern, error }, "The hostname pattern of a group is no regular expression");
      }
      return false;
    }
  };
  return (): Grouping => ({ groups: definitions.all(groupCollection), test });
}
