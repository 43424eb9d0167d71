import { isObject } from "../../../lib/json/is-object.ts";
import { orderedText } from "../../../lib/json/json-text.ts";
import type { Kind } from "./actions.ts";
import type { ReferenceRule } from "./table.ts";

type Members = Readonly<Record<string, unknown>>;

/** One place where a record names another. */
export interface Reference {
  readonly kind: Kind;
  readonly id: string;
  /**
   * The path and the complete list entry that contains the reference: a changed entry counts as a new one. For targets, only the
   * path.
   */
  readonly holder: string;
}

interface Place {
  readonly value: unknown;
  /** The list entry that contains the place; undefined outside lists. */
  readonly holder?: unknown;
}

/** The references in a record according to the rules, in the order of the rules. */
export const referencesIn = (record: Members, rules: readonly ReferenceRule[]): Reference[] =>
  rules.flatMap((rule) =>
    placesOf(record, rule).flatMap(({ value, holder }) =>
      idsOf(value, rule.kind).map((id) => ({ kind: rule.kind, id, holder: holderOf(rule, holder) })),
    ),
  );

/** Targets need no holder, and there may be thousands of them. */
const holderOf = ({ kind, path }: ReferenceRule, holder: unknown): string =>
  kind === "target" ? path : `${path} ${orderedText(holder)}`;

/**
 * The references that no entry of `before` contains. Targets may move between paths: otherwise nobody could edit an event that is
 * shared with other groups.
 */
export function addedReferences(before: Members, after: Members, rules: readonly ReferenceRule[]): Reference[] {
  const keyOf = ({ kind, id, holder }: Reference): string => (kind === "target" ? id : `${kind} ${id} ${holder}`);
  const stored = new Set(referencesIn(before, rules).map(keyOf));
  return referencesIn(after, rules).filter((reference) => !stored.has(keyOf(reference)));
}

function placesOf(record: Members, { path, when }: ReferenceRule): readonly Place[] {
  return path.split(".").reduce<readonly Place[]>(
    (places, step) => {
      const isList = step.endsWith("[]");
      const name = isList ? step.slice(0, -2) : step;
      const found = places.flatMap(({ value, holder }) => {
        const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
        return member === undefined ? [] : [{ value: member, holder }];
      });
      return isList ? found.flatMap((place) => entriesOf(place, when)) : found;
    },
    [{ value: record }],
  );
}

/** Text stands for a list of one: clients send both. */
const entriesOf = ({ value, holder }: Place, when: ReferenceRule["when"]): Place[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value])
    .filter((entry) => holder !== undefined || !when || when.every(({ member, is }) => valueAt(entry, member) === is))
    .map((entry) => ({ value: entry, holder: holder ?? entry }));

const valueAt = (entry: unknown, path: string): unknown =>
  path.split(".").reduce((value, name) => (isObject(value) ? value[name] : undefined), entry);

/** Targets may also be a comma-separated text. */
function idsOf(value: unknown, kind: Kind): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = values.filter((id) => typeof id === "string" || typeof id === "number").map(String);
  const ids = kind === "target" ? texts.flatMap((text) => text.split(",")) : texts;
  return ids.map((id) => id.trim()).filter((id) => id !== "");
}
