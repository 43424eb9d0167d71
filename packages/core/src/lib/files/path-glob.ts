import { alternativesOf, matcherOf } from "./glob.ts";

/** A pattern of paths below a folder. */
export interface PathGlob {
  /** Whether a path is meant, given as its names from the folder on. */
  isMeant(names: readonly string[]): boolean;
  /** Whether paths below a folder may be. */
  mayLead(names: readonly string[]): boolean;
}

/** A test of one name, or any number of names. */
type Part = ((name: string) => boolean) | "**";

/**
 * A matcher of paths for a pattern with "/" between its parts: a part means names as `compileGlob` does, and `**` any
 * number of folders. Hidden names are meant by parts alone that begin with their dot. Throws `Error` for a pattern that is
 * too long.
 */
export function compilePathGlob(pattern: string): PathGlob {
  const ways = alternativesOf(pattern).map((way) => partsOf(way).map(partOf));
  return {
    isMeant: (names) => ways.some((parts) => placesAfter(parts, names).has(parts.length)),
    mayLead: (names) => ways.some((parts) => [...placesAfter(parts, names)].some((place) => place < parts.length)),
  };
}

/** The last `**` means names below all these folders, and not the folders. */
const partsOf = (way: string): string[] => (/(?:^|\/)\*\*$/.test(way) ? `${way}/*` : way).split("/");

const isHidden = (name: string): boolean => name.startsWith(".");

function partOf(pattern: string): Part {
  if (pattern === "**") return pattern;
  const isMatch = matcherOf(pattern);
  return (name) => isHidden(name) === isHidden(pattern) && isMatch(name);
}

/** Places in the pattern at which the names may have arrived. */
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

/** The places themselves, and those behind a `**`, which may mean no folder at all. */
function opened(parts: readonly Part[], places: readonly number[]): Set<number> {
  const all = new Set(places);
  // Places that are added are gone through as well.
  for (const place of all) if (parts[place] === "**") all.add(place + 1);
  return all;
}
