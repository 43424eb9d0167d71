import { Conflict } from "../../../parts/difference/conflict.tsx";
import type { Definition, Kind, Values } from "../kind.ts";
import type { Draft } from "./editor.tsx";

interface MeanwhileProps {
  readonly kind: Kind;
  readonly row: Definition;
  readonly draft: Draft;
}

const HIDDEN = "••••••";

/** The members that the form knows. Sealed members (passwords, values of secrets) are masked if changed, else left out. */
const knownOf = ({ fields }: Kind, values: Values, changes: Values = {}): Values =>
  Object.fromEntries(
    fields.map(({ member, isSealed }) => [
      member,
      isSealed ? (member in changes ? HIDDEN : undefined) : values[member],
    ]),
  );

/** Shown when somebody else has saved the record since the first entry: compares both versions and offers a choice. */
export function Meanwhile({ kind, row, draft: { base, changes, goOn } }: MeanwhileProps) {
  const isOlder = (base?.revision ?? 0) < (row.revision ?? 0);
  if (!base || !isOlder || Object.keys(changes).length === 0) return null;
  return (
    <Conflict
      base={knownOf(kind, base)}
      theirs={knownOf(kind, row)}
      mine={knownOf(kind, { ...base, ...changes }, changes)}
      nameOf={(name) => kind.fields.find(({ member }) => member === name)?.label() ?? name}
      goOn={(_shown, isKeeping) => goOn(isKeeping)}
    />
  );
}
