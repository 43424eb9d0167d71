import { powerShellScript } from "./script-power-shell.ts";
import { shellScript } from "./script-shell.ts";

/** Values that are put into a script. They must be validated, because nothing here quotes them. */
export interface ScriptValues {
  /** Origin at which the satellite reached the engine, without a trailing slash: "https://ops.example.com:5522". */
  readonly origin: string;
  /** Path at which the API is mounted: "", or "/tools". */
  readonly path: string;
  readonly token: string;
  /** Id of the server that upgrades itself. */
  readonly server?: string | undefined;
}

export type ScriptKind = "install" | "upgrade";

/** The script that installs an agent, or upgrades an existing one. */
export function scriptFor(kind: ScriptKind, os: string | undefined, values: ScriptValues): string {
  return os === "windows" ? powerShellScript(kind, values) : shellScript(kind, values);
}
