import type { ScriptKind, ScriptValues } from "./script.ts";

const TOOLS = `
function Stop-Script([string] $Reason) { throw "$Action failed: $Reason" }

function Get-Part([string] $Address, [string] $File) {
  Invoke-WebRequest -UseBasicParsing -Uri $Address -OutFile $File
}

$Principal = [Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()
if (-not $Principal.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
  Stop-Script 'it needs the rights of an administrator'
}
$Arch = if ($env:PROCESSOR_ARCHITECTURE -eq 'ARM64') { 'arm64' } else { 'x64' }
$Work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $Work | Out-Null
try {
  $Package = Join-Path $Work 'core.tar.gz'
  Get-Part "$Api/core?$Access&os=windows&arch=$Arch" $Package
  New-Item -ItemType Directory -Force -Path $Folder | Out-Null
`;

const KEEP = `
  # The package may bring a configuration as an example, which must not take the place of this one.
  $Config = Join-Path $Folder 'config.json'
  $Kept = Join-Path $Work 'config.json'
  if ((Test-Path $Config) -and (Get-Item $Config).Length -gt 0) { Copy-Item $Config $Kept }
`;

const CONFIGURE = `
  # An agent that is there already keeps its configuration. An empty file, of an installation that was cut off, is none.
  if (-not (Test-Path $Kept)) { Get-Part "$Api/config?$Access" $Kept }
`;

const RUN = String.raw`
  & tar.exe -xzf $Package -C $Folder
  $IsUnpacked = $LASTEXITCODE -eq 0
  if (Test-Path $Kept) { Copy-Item -Force $Kept $Config }
  if (-not $IsUnpacked) { Stop-Script 'the package could not be unpacked' }
  $Setup = Join-Path $Folder 'win\install.bat'
  if (-not (Test-Path $Setup)) { Stop-Script 'the package brings nothing to run' }
  Push-Location $Folder
  try { & $Setup } finally { Pop-Location }
  Write-Output "$Action succeeded: $Folder"
} finally {
  Remove-Item -Recurse -Force $Work
}
`;

const FIXED =
  "$Folder = if ($env:SATELLITE_DIR) { $env:SATELLITE_DIR } else { Join-Path $env:ProgramFiles 'xyOps Satellite' }";

/**
 * Trusts the running agent only if administrators alone may write its configuration: any other owner proves nothing.
 */
const RUNNING = `${FIXED}
# An agent that runs this script says where it is by its working folder.
$Here = (Get-Location).ProviderPath
$HereConfig = Join-Path $Here 'config.json'
if (-not $env:SATELLITE_DIR -and (Test-Path $HereConfig) -and
    (Select-String -Quiet -Path $HereConfig -Pattern '"(server_id|auth_token|secret_key)"') -and
    ((Get-Acl $HereConfig).Owner -match '\\\\(Administrators|SYSTEM)$')) { $Folder = $Here }`;

/** Script for Windows PowerShell 5.1 and later. */
export function powerShellScript(kind: ScriptKind, { origin, path, token, server }: ScriptValues): string {
  const isInstall = kind === "install";
  const access = server === undefined ? `t=${token}` : `t=${token}&s=${server}`;
  const head = [
    isInstall
      ? "# Sets up an agent: fetches its package and a configuration of its own, unpacks and runs it."
      : "# Renews an agent: fetches its package, unpacks it over the old one and runs it; its configuration stays.",
    "$ErrorActionPreference = 'Stop'",
    "$ProgressPreference = 'SilentlyContinue'",
    "[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12",
    `$Action = '${isInstall ? "Installation" : "Upgrade"}'`,
    `$BASE_URL="${origin}"`,
    `$Api = "$BASE_URL${path}/api/app/satellite/v1"`,
    `$Access = '${access}'`,
    isInstall ? FIXED : RUNNING,
  ];
  return `${head.join("\n")}\n${TOOLS}${KEEP}${isInstall ? CONFIGURE : ""}${RUN}`;
}
