type Pattern = readonly [title: string, pattern: RegExp];

/** Browsers, tested in this order because most also claim to be others. */
const BROWSERS: readonly Pattern[] = [
  ["Edge", /\b(?:Edg|EdgA|EdgiOS|Edge)\/(\d+(?:\.\d+)?)/],
  ["Opera", /\b(?:OPR|Opera)\/(\d+(?:\.\d+)?)/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d+(?:\.\d+)?)/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d+(?:\.\d+)?)/],
  ["Chrome", /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+(?:\.\d+)?)/],
  ["Safari", /\bVersion\/(\d+(?:\.\d+)?)[\s\S]*\bSafari\//],
];

const SYSTEMS: readonly Pattern[] = [
  ["Windows", /\bWindows NT (\d+\.\d+)/],
  ["iOS", /\b(?:iPhone|iPad|iPod)\b[\s\S]*?\bOS (\d+(?:_\d+)?)/],
  ["macOS", /\bMac OS X (\d+(?:[._]\d+)?)/],
  ["Android", /\bAndroid (\d+(?:\.\d+)?)/],
  ["Chrome OS", /\bCrOS\b()/],
  ["Linux", /\bLinux\b()/],
];

/** Windows sends the version of its kernel. */
const WINDOWS: Readonly<Record<string, string>> = { "10.0": "10", "6.3": "8.1", "6.2": "8", "6.1": "7" };

const MAX_RAW = 500;

/**
 * Turns a `User-Agent` header into text like "Firefox 128.0 / Windows 10"; returns an unknown header unchanged
 * (docs/contract/activity.md#rows).
 */
export function describeUserAgent(header: string): string {
  const raw = header.slice(0, MAX_RAW);
  const browser = nameOf(BROWSERS, raw);
  const system = nameOf(SYSTEMS, raw);
  // A client that is no known browser is another program, and its header describes it best.
  if (browser === undefined) return raw;
  return system === undefined ? browser : `${browser} / ${system}`;
}

function nameOf(patterns: readonly Pattern[], header: string): string | undefined {
  for (const [title, pattern] of patterns) {
    const match = pattern.exec(header);
    if (!match) continue;
    const found = (match[1] ?? "").replace("_", ".");
    const version = title === "Windows" ? (WINDOWS[found] ?? found) : found;
    return version === "" ? title : `${title} ${version}`;
  }
  return undefined;
}
