export type Params = Readonly<Record<string, string>>;

/** Matches a path against `/jobs/:id`; undefined when it does not match. Parameters are decoded. */
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
    // A percent sign that begins no escape sequence stays as it is.
    return step;
  }
}

/** An address below the base: `/jobs/j1?q=a`, without empty parameters. */
export function pathTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const members = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) members.set(name, value);
  return members.size > 0 ? `${path}?${members}` : path;
}
