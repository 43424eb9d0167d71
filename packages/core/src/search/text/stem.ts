/** Classifies each letter as vowel or consonant; `y` is a vowel after a consonant. */
function shapeOf(word: string): string {
  let shape = "";
  for (const letter of word) {
    const isVowel = "aeiou".includes(letter) || (letter === "y" && shape.endsWith("c"));
    shape += isVowel ? "v" : "c";
  }
  return shape;
}

/** Number of runs of vowels followed by consonants: `m` of the algorithm. */
const measure = (word: string): number => shapeOf(word).match(/vc/g)?.length ?? 0;
const hasVowel = (word: string): boolean => shapeOf(word).includes("v");
const endsDouble = (word: string): boolean => /([^aeiou])\1$/.test(word) && shapeOf(word).endsWith("c");
/** Ends in consonant, vowel, consonant: such a stem has lost an `e`. */
const endsShort = (word: string): boolean => shapeOf(word).endsWith("cvc") && !/[wxy]$/.test(word);

type Endings = readonly (readonly [ending: string, replacement: string])[];

const SECOND: Endings = [
  ...([
    ["ational", "ate"],
    ["tional", "tion"],
    ["enci", "ence"],
    ["anci", "ance"],
    ["izer", "ize"],
  ] as const),
  ...([
    ["bli", "ble"],
    ["alli", "al"],
    ["entli", "ent"],
    ["eli", "e"],
    ["ousli", "ous"],
  ] as const),
  ...([
    ["ization", "ize"],
    ["ation", "ate"],
    ["ator", "ate"],
    ["alism", "al"],
    ["iveness", "ive"],
  ] as const),
  ...([
    ["fulness", "ful"],
    ["ousness", "ous"],
    ["aliti", "al"],
    ["iviti", "ive"],
    ["biliti", "ble"],
  ] as const),
  ["logi", "log"],
];
const THIRD: Endings = [
  ...([
    ["icate", "ic"],
    ["ative", ""],
    ["alize", "al"],
    ["iciti", "ic"],
    ["ical", "ic"],
    ["ful", ""],
  ] as const),
  ["ness", ""],
];
const FOURTH = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou|(?<=[st])ion)$/;

/** Only the longest matching ending counts, whether or not it may be replaced. */
function replaceEnding(word: string, endings: Endings): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (!found) return word;
  const stem = word.slice(0, -found[0].length);
  return measure(stem) > 0 ? stem + found[1] : word;
}

function dropPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function dropPast(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const stem = word.replace(/(?:ed|ing)$/, "");
  if (stem === word || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

const dropY = (word: string): string =>
  word.endsWith("y") && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;

function dropFourth(word: string): string {
  const stem = word.replace(FOURTH, "");
  return measure(stem) > 1 ? stem : word;
}

function dropLast(word: string): string {
  let result = word;
  if (word.endsWith("e")) {
    const stem = word.slice(0, -1);
    const count = measure(stem);
    if (count > 1 || (count === 1 && !endsShort(stem))) result = stem;
  }
  return result.endsWith("ll") && measure(result) > 1 ? result.slice(0, -1) : result;
}

/** Size of the cache. An installation's texts repeat the same words, and a lookup takes a seventieth of the time of stemming. */
const MOST_KEPT = 2048;
/** V8 keeps a longer substring as a slice, which keeps the whole text in memory. */
const LONGEST_KEPT = 12;
const stems = new Map<string, string>();

/**
 * The stem of a lower-case English word, by the algorithm that M. F. Porter published in 1980, with the two endings (`bli`,
 * `logi`) that he added to his own program later. Words under three letters are returned unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3) return word;
  if (word.length > LONGEST_KEPT) return stemOf(word);
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MOST_KEPT) stems.clear();
  const made = stemOf(word);
  stems.set(word, made);
  return made;
}

function stemOf(word: string): string {
  const verb = dropY(dropPast(dropPlural(word)));
  return dropLast(dropFourth(replaceEnding(replaceEnding(verb, SECOND), THIRD)));
}
