import { findValueFault, type TestPattern, type ValueFault } from "./fields.ts";

type Members = Readonly<Record<string, unknown>>;
type Definitions = readonly Members[];

/** Finds the first value that its definition refuses, when `values` are laid over `base`. */
export type ValueCheck = (definitions: Definitions, base: Members, values: Members) => ValueFault | undefined;

interface Means {
  readonly testPattern: TestPattern;
  /** Changes values before they are checked; absent = they are checked unchanged. */
  readonly fill?: (definitions: Definitions, values: Members) => Members;
}

/**
 * Checks many sets of values against a few lists of definitions. The values of `base` are checked once per list, so a set costs
 * no more than its own values: a thousand actions may start an event with thousands of fields.
 */
export function createValueCheck(means: Means): ValueCheck {
  const known = new Map<
    Definitions,
    { readonly base: Members; readonly check: (values: Members) => ValueFault | undefined }
  >();
  return (definitions, base, values) => {
    const found = known.get(definitions);
    if (found?.base === base) return found.check(values);
    const check = checkOver(definitions, base, means);
    known.set(definitions, { base, check });
    return check(values);
  };
}

function checkOver(definitions: Definitions, base: Members, { testPattern, fill }: Means) {
  const faultAt = (at: number, given: Members): ValueFault | undefined => {
    const one = definitions.slice(at, at + 1);
    const id = String(one[0]?.["id"]);
    const values = { [id]: given[id] };
    return findValueFault(one, fill?.(one, values) ?? values, testPattern);
  };
  const places = new Map(definitions.map(({ id }, at) => [String(id), at]));
  const ofBase = definitions.flatMap((_definition, at) => {
    const fault = faultAt(at, base);
    return fault ? [{ at, fault }] : [];
  });
  return (values: Members): ValueFault | undefined => {
    const named = new Set(Object.keys(values).flatMap((id) => places.get(id) ?? []));
    const kept = ofBase.find(({ at }) => !named.has(at));
    for (const at of [...named].sort((a, b) => a - b)) {
      if (kept && kept.at < at) break;
      const fault = faultAt(at, values);
      if (fault) return fault;
    }
    return kept?.fault;
  };
}
