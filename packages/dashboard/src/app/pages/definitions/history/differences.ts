/** One member that differs; undefined where a value is absent. */
export interface Difference {
  readonly member: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Members that every save changes and that carry no information here. */
const STAMPS: ReadonlySet<string> = new Set(["modified", "revision", "username", "created", "id"]);
type Record_ = Readonly<Record<string, unknown>>;

const written = (value: unknown): string | undefined => {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
};

export function differencesOf(before: Record_ = {}, after: Record_ = {}): readonly Difference[] {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !STAMPS.has(name));
  return members
    .map((member) => changed({ member, before: written(before[member]), after: written(after[member]) }))
    .filter((difference) => difference !== undefined);
}

function changed({ member, before, after }: Difference): Difference | undefined {
  if (before === after) return undefined;
  if (before === undefined || after === undefined) return { member, before, after };
  return { member, ...withoutCommon(before, after) };
}

const EDGE = 1;

/** Removes the lines that both texts begin and end with, keeping one on each side as context. */
function withoutCommon(before: string, after: string): { readonly before: string; readonly after: string } {
  const [old, young] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, young.length);
  let start = 0;
  while (start < shorter && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === young[young.length - 1 - end]) end += 1;
  const part = (lines: readonly string[]): string => {
    const from = Math.max(0, start - EDGE);
    const to = Math.min(lines.length, lines.length - end + EDGE);
    return [...(from > 0 ? ["…"] : []), ...lines.slice(from, to), ...(to < lines.length ? ["…"] : [])].join("\n");
  };
  return { before: part(old), after: part(young) };
}
