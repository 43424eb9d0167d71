import type { ScriptKind, ScriptValues } from "./script.ts";

const TOOLS = `
fail() { echo "$ACTION failed: $1" >&2; exit 1; }

# fetch <url> <file>
fetch() {
  if command -v curl >/dev/null 2>&1; then curl -fsSL --retry 3 -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then wget -q -O "$2" "$1"
  else fail "neither curl nor wget is there"
  fi
}

[ "$(id -u)" = 0 ] || fail "it needs the rights of root"
case "$(uname -s)" in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  *) fail "there is no package for $(uname -s)" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  armv7l) arch=arm ;;
  *) fail "there is no package for $(uname -m)" ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch "$API/core?$ACCESS&os=$os&arch=$arch" "$work/core.tar.gz" || fail "the package could not be fetched"
gzip -t "$work/core.tar.gz" 2>/dev/null || fail "what was fetched is no package"
mkdir -p "$FOLDER"
`;

const KEEP = `
# The package may bring a configuration as an example, which must not take the place of this one.
if [ -s "$FOLDER/config.json" ]; then cp -p "$FOLDER/config.json" "$work/config.json"; fi
`;

const CONFIGURE = `
# An agent that is there already keeps its configuration.
if [ ! -s "$work/config.json" ]; then
  # It holds the token of the agent, so nobody else may read it.
  (umask 077 && fetch "$API/config?$ACCESS" "$work/config.json") || fail "the configuration could not be fetched"
  [ -s "$work/config.json" ] || fail "the configuration is empty"
fi
`;

const UNPACK = `
unpacked=yes
tar -xzf "$work/core.tar.gz" -C "$FOLDER" || unpacked=no
if [ -s "$work/config.json" ]; then mv -f "$work/config.json" "$FOLDER/config.json"; fi
[ "$unpacked" = yes ] || fail "the package could not be unpacked"
`;

const RUN = `
cd "$FOLDER"
if [ -f install.sh ]; then sh install.sh
elif [ -f start.sh ]; then sh start.sh
else fail "the package brings nothing to run"
fi
echo "$ACTION succeeded: $FOLDER"
`;

// biome-ignore lint/suspicious/noTemplateCurlyInString: for the shell
const FIXED = 'FOLDER="${SATELLITE_DIR:-/opt/xyops/satellite}"';

/** A folder counts only if it and its configuration belong to the user who runs the script. */
const RUNNING = `
# has_agent <folder>
has_agent() {
  [ -O "$1" ] && [ -O "$1/config.json" ] && grep -Eq '"(server_id|auth_token|secret_key)"' "$1/config.json"
}

# An agent that runs this script says where it is: by its working folder, or the one of this script.
FOLDER="\${SATELLITE_DIR:-}"
if [ -z "$FOLDER" ]; then
  FOLDER=/opt/xyops/satellite
  for folder in "$(readlink "/proc/$PPID/cwd" 2>/dev/null || :)" "$(pwd)"; do
    if [ -n "$folder" ] && has_agent "$folder"; then FOLDER=$folder; break; fi
  done
fi`;

/** Script for `sh` on Linux and macOS. */
export function shellScript(kind: ScriptKind, { origin, path, token, server }: ScriptValues): string {
  const isInstall = kind === "install";
  const access = server === undefined ? `t=${token}` : `t=${token}&s=${server}`;
  const head = [
    "#!/bin/sh",
    isInstall
      ? "# Sets up an agent: fetches its package and a configuration of its own, unpacks and runs it."
      : "# Renews an agent: fetches its package, unpacks it over the old one and runs it; its configuration stays.",
    "set -eu",
    `ACTION='${isInstall ? "Installation" : "Upgrade"}'`,
    `BASE_URL="${origin}"`,
    `API="$BASE_URL${path}/api/app/satellite/v1"`,
    `ACCESS='${access}'`,
    isInstall ? FIXED : RUNNING,
  ];
  return `${head.join("\n")}\n${TOOLS}${KEEP}${isInstall ? CONFIGURE : ""}${UNPACK}${RUN}`;
}
