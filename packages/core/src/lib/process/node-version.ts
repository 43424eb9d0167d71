const NEEDED = "22.18";
const [MAJOR, MINOR] = [22, 18];

/**
 * Why a version of Node is too old for the engine; undefined if it is not. The manifests of all packages name the same minimum.
 */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return undefined;
  return `Signalbox needs Node ${NEEDED} or newer, and this is ${version}: install a newer one, or start this program with it.`;
}
