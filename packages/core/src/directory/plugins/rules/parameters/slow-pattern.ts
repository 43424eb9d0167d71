import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import { faultOf } from "../../../../lib/message-of.ts";

type Members = Readonly<Record<string, unknown>>;

/** A definition whose pattern is refused. */
interface SlowPattern {
  readonly id: string;
  readonly reason: string;
}

/**
 * Finds the first parameter with a pattern that `check` refuses by throwing, in definitions that are otherwise valid. Stored
 * patterns are accepted, so that old records keep working.
 */
export function findSlowPattern(
  list: readonly unknown[],
  stored: readonly unknown[],
  check: (pattern: string) => void,
): SlowPattern | undefined {
  const known = new Set(stored.flatMap((definition) => patternsOf(definition)));
  for (const definition of list)
    for (const pattern of patternsOf(definition)) {
      const fault = known.has(pattern) ? undefined : faultOf(() => check(pattern));
      if (fault !== undefined)
        return { id: String(membersOf(definition)["id"]), reason: `Invalid regular expression: ${fault}` };
    }
  return undefined;
}

/** Patterns of a parameter and of the fields of its tools. */
function patternsOf(definition: unknown): string[] {
  const { regex, data } = membersOf(definition);
  return [...textIn(regex), ...membersIn(data, "tools").flatMap(fieldPatterns)];
}

const fieldPatterns = (tool: unknown): string[] =>
  membersIn(tool, "fields").flatMap((field) => textIn(membersOf(field)["regex"]));

const textIn = (value: unknown): string[] => (typeof value === "string" && value !== "" ? [value] : []);

const membersIn = (value: unknown, name: string): Members[] => {
  const list = membersOf(value)[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
};
