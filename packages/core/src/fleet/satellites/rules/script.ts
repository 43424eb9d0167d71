import { powerShellScript } from "./script-power-shell.ts";
import { shellScript } from "./script-shell.ts";

/** Values of a script; each was checked, because nothing here quotes them. */
export interface ScriptValues {
  /** Origin by which the satellite reached the server, without a slash at the end: "https://ops.example.com:5522". */
  readonly origin: string;
  /** Path at which the API is mounted: "", or "/tools". */
  readonly path: string;
  readonly token: string;
  /** Id of the server that upgrades itself. */
  readonly server?: string | undefined;
}

export type ScriptKind = "install" | "upgrade";

/** The script that sets up an agent, or renews one that is there. */
export function scriptFor(kind: ScriptKind, os: string | undefined, values: ScriptValues): string {
  return os === "windows" ? powerShellScript(kind, values) : shellScript(kind, values);
}
