interface Page {
  readonly name: string;
  readonly members: URLSearchParams;
}

/** `Ticket?id=t1`, with or without a leading `#`. */
function pageOf(loc: string): Page {
  const [name = "", query = ""] = loc.replace(/^#/, "").split("?");
  return { name, members: new URLSearchParams(query) };
}

/** True when `loc` is the target's page and has every member of its query (part 42 §7). */
export function isOnPage(loc: string, target: string): boolean {
  const [here, there] = [pageOf(loc), pageOf(target)];
  return here.name === there.name && [...there.members].every(([name, value]) => here.members.get(name) === value);
}

/** The job that somebody looks at. */
export function jobOfPage(loc: string): string | undefined {
  const { name, members } = pageOf(loc);
  return name === "Job" ? (members.get("id") ?? undefined) : undefined;
}
