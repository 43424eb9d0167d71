import { COMMANDS, type Command } from "./commands.ts";

const usageOf = ({ name, words, options }: Command): string =>
  ["signalbox", name, ...words, ...(Object.keys(options).length > 0 ? ["[OPTIONS]"] : [])].join(" ");

/** Two columns, the first one as wide as its longest text. */
function inColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

/** The text of `signalbox help`. */
export const overview = (): string =>
  `Usage: signalbox COMMAND

Commands:
${inColumns([...COMMANDS.map((command) => [usageOf(command), command.says] as const), ["signalbox help [COMMAND]", "Show this, or how a command is used."]])}
The variables are those of the server: SIGNALBOX_SECRET_KEY, SIGNALBOX_DATA_DIR, SIGNALBOX_STORAGE and so on. With SIGNALBOX_URL and
SIGNALBOX_API_KEY a command asks a running server instead. On SQLite the server must be stopped otherwise: the file is for one process.
Data go to standard output, words to standard error. Exit codes: 0 done, 1 refused or failed, 2 wrong arguments or variables.
`;

/** The text of `signalbox COMMAND --help`. */
export function helpOf(command: Command): string {
  const rows = Object.entries(command.options).map(
    ([name, { value, says }]) => [`--${name}${value ? ` ${value}` : ""}`, says] as const,
  );
  const options = rows.length > 0 ? `\nOptions:\n${inColumns(rows)}` : "";
  const examples = command.examples.map((line) => `  ${line}\n`).join("");
  return `Usage: ${usageOf(command)}\n\n${command.says}\n${options}\nExamples:\n${examples}`;
}
