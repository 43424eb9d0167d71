import { alternativesOf, matcherOf } from "./glob.ts";

/** A pattern for paths below a folder. */
export interface PathGlob {
  /** Whether a path matches, given as its names below the folder. */
  isMeant(names: readonly string[]): boolean;
  /** Whether paths below the given folder may match. */
  mayLead(names: readonly string[]): boolean;
}

/** A test for one name, or `**` for any number of names. */
type Part = ((name: string) => boolean) | "**";

/**
 * Compiles a pattern with "/" between its parts into a matcher of paths: each part matches a name as in `compileGlob`, and `**`
 * any number of folders. Only parts that begin with a dot match hidden names. Throws `Error` for a pattern that is too long.
 */
export function compilePathGlob(pattern: string): PathGlob {
  const ways = alternativesOf(pattern).map((way) => partsOf(way).map(partOf));
  return {
    isMeant: (names) => ways.some((parts) => placesAfter(parts, names).has(parts.length)),
    mayLead: (names) => ways.some((parts) => [...placesAfter(parts, names)].some((place) => place < parts.length)),
  };
}

/** A final `**` matches the names below all these folders, but not the folders. */
const partsOf = (way: string): string[] => (/(?:^|\/)\*\*$/.test(way) ? `${way}/*` : way).split("/");

const isHidden = (name: string): boolean => name.startsWith(".");

function partOf(pattern: string): Part {
  if (pattern === "**") return pattern;
  const isMatch = matcherOf(pattern);
  return (name) => isHidden(name) === isHidden(pattern) && isMatch(name);
}

/** Positions in the pattern that the names may have reached. */
function placesAfter(parts: readonly Part[], names: readonly string[]): ReadonlySet<number> {
  let places = opened(parts, [0]);
  for (const name of names) {
    const next = [...places].flatMap((place) => {
      const part = parts[place];
      if (part === "**") return isHidden(name) ? [] : [place];
      return part?.(name) ? [place + 1] : [];
    });
    places = opened(parts, next);
  }
  return places;
}

/** Adds the positions behind each `**`, which may match no folder at all. */
function opened(parts: readonly Part[], places: readonly number[]): Set<number> {
  const all = new Set(places);
  // A set iterates over items added during the loop too.
  for (const place of all) if (parts[place] === "**") all.add(place + 1);
  return all;
}
