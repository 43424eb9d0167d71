import type { RotationReport } from "../../directory/secrets/model.ts";

const LEFT_MAX = 100;

/** The report for the administrator who asked, in Markdown. It contains no key. */
export function reportOf({ finished, resealed, unopened }: RotationReport, notes: readonly string[]): string {
  const left = unopened.slice(0, LEFT_MAX).map((id) => `\`${id}\``);
  const more = unopened.length > LEFT_MAX ? ` and ${unopened.length - LEFT_MAX} more` : "";
  return [
    finished
      ? `The secret key was changed; ${resealed} secrets were sealed anew.`
      : `The secret key was changed; ${resealed} secrets were sealed anew, and the rest follows.`,
    ...(left.length > 0 ? [`No key opens these secrets, which stay as they are: ${left.join(", ")}${more}.`] : []),
    "Connected satellites were given new tokens; others can join with their former ones for as long as `satellite.secret_key_grace_hours` says. Links to logs that were sent before do not open any more.",
    ...notes,
  ].join("\n\n");
}
