export type Params = Readonly<Record<string, string>>;

/** Fits a path on `/jobs/:id`; undefined when it does not. Parameters are decoded. */
export function match(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split("/").filter(Boolean);
  const given = path.split("/").filter(Boolean);
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, step] of wanted.entries()) {
    const value = decoded(given[at] ?? "");
    if (step.startsWith(":")) params[step.slice(1)] = value;
    else if (step !== value) return undefined;
  }
  return params;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    // A lone percent sign stands for itself.
    return step;
  }
}

/** Address below the base: `/jobs/j1?q=a`. Members that are empty are left out. */
export function pathTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const members = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) members.set(name, value);
  return members.size > 0 ? `${path}?${members}` : path;
}
