/** Rules for packages before they are published. */

const NEEDED = ["description", "keywords", "license", "engines", "files", "exports", "publishConfig"];
/** Addresses of the source and for bug reports; a dry run does not need them. */
const NEEDED_FOR_REAL = ["repository", "homepage", "bugs"];
const OURS = /^@signalbox\//;
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Faults of packages, one sentence each; `packages` are `{ name, manifest, readme, license }`. */
export function faultsOf({ packages, license, changelog, isForReal = false }) {
  const [{ manifest: first }] = packages;
  const { version } = first;
  const faults = packages.flatMap((each) => faultsOfPackage(each, { version, license, isForReal }));
  const section = isForReal ? `## ${version}` : "## ";
  if (!changelog.includes(section)) faults.push(`CHANGELOG.md has no section "${section.trim()}".`);
  return faults;
}

function faultsOfPackage({ name, manifest, readme, license: own }, { version, license, isForReal }) {
  const faults = [];
  const say = (text) => void faults.push(`packages/${name}: ${text}`);
  for (const member of [...NEEDED, ...(isForReal ? NEEDED_FOR_REAL : [])])
    if (manifest[member] === undefined || manifest[member].length === 0) say(`package.json has no ${member}.`);
  if (manifest.version !== version) say(`its version is ${manifest.version}, that of the others ${version}.`);
  const needed = { ...manifest.dependencies, ...manifest.peerDependencies };
  for (const [each, range] of Object.entries(needed))
    if (OURS.test(each) && range !== version)
      say(`it needs ${each} ${range}, which is not the version of all packages.`);
  if (!readme?.includes(manifest.name)) say("README.md is missing, or does not name the package.");
  if (own !== license) say("LICENSE is missing, or another one than that of the repository.");
  if (manifest.files?.some((pattern) => /^(?:src|test)\b/.test(pattern))) say("it would publish sources or tests.");
  return faults;
}

/** The text of a manifest with a new version, for the package itself and for our other packages it depends on. */
export function withVersion(text, version) {
  if (!VERSION.test(version)) throw new Error(`${version} is no version: give one like 0.2.0`);
  const manifest = JSON.parse(text);
  manifest.version = version;
  for (const kind of ["dependencies", "peerDependencies", "devDependencies"])
    for (const name of Object.keys(manifest[kind] ?? {})) if (OURS.test(name)) manifest[kind][name] = version;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The changelog with the "Unreleased" section moved under the version, and a new empty "Unreleased" above. */
export function changelogFor(text, version, date) {
  if (!/^## Unreleased\n+(?!## )\S/m.test(text)) throw new Error('CHANGELOG.md says nothing under "Unreleased"');
  return text.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} (${date.toISOString().slice(0, 10)})\n`);
}
