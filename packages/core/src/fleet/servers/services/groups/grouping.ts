import { groupRecords } from "../../../../directory/groups/records.ts";
import type { PatternTest } from "../../../../directory/groups/rules/membership.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Grouping } from "../../rules/joining/connect.ts";
import { createVerdicts } from "./verdicts.ts";

type Deps = Pick<Cradle, "clock" | "definitions" | "expressions" | "log">;
const REPORTED = 1000;

/** Returns the current groups with a time-bounded matcher. An invalid pattern matches nothing, and is logged once. */
export function createGrouping({ clock, definitions, expressions, log }: Deps): () => Grouping {
  const reported = new Set<string>();
  const verdicts = createVerdicts(clock);
  const test: PatternTest = (pattern, subject) => {
    try {
      const regex = expressions.regexes.compile(pattern);
      return regex.isQuick(subject) ? regex.test(subject) : verdicts.of(pattern, subject, () => regex.test(subject));
    } catch (error) {
      if (reported.size < REPORTED && !reported.has(pattern)) {
        reported.add(pattern);
        log.error({ pattern, error }, "The hostname pattern of a group is no regular expression");
      }
      return false;
    }
  };
  return () => ({ groups: definitions.all(groupRecords), test });
}
