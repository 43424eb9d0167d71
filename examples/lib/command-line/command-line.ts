import { parseArgs } from "node:util";
import { COMMANDS, type Command, type Given } from "./commands.ts";
import { helpOf, overview } from "./help.ts";
import { CommandError, print, say, shown, type Terminal, usageError } from "./output.ts";

const HELP = new Set(["help", "--help", "-h"]);

/** Runs the command that the arguments name; resolves with the exit code. `serve` keeps running after that. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await run(args, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    say(terminal, `signalbox: ${error.message}`);
    return error.isUsage ? 2 : 1;
  }
}

async function run([first = "", ...rest]: readonly string[], terminal: Terminal): Promise<void> {
  if (first === "") throw usageError(`Name a command.\n\n${overview()}`);
  if (HELP.has(first)) return print(terminal, rest.length === 0 ? overview() : helpOf(commandOf(rest)));
  const command = commandOf([first === "--version" ? "version" : first, ...rest]);
  const given = read(command, [first, ...rest].slice(command.name.split(" ").length));
  await (given === undefined ? print(terminal, helpOf(command)) : command.run({ terminal, ...given }));
}

/** The command that the first words name. */
function commandOf(args: readonly string[]): Command {
  const found = COMMANDS.find(({ name }) => name.split(" ").every((word, index) => args[index] === word));
  if (found) return found;
  const [first = ""] = args;
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  throw usageError(
    family.length > 0
      ? `${first} is followed by another word: ${family.join(", ")}`
      : `There is no command ${shown(first)}: signalbox help shows all`,
  );
}

/** Arguments of a command; undefined = its help was requested. */
function read(command: Command, args: string[]): Omit<Given, "terminal"> | undefined {
  const { values, positionals: words } = parse(command, args);
  const { help, ...options } = values;
  if (help) return undefined;
  const needed = command.words.filter((word) => !word.startsWith("[")).length;
  if (words.length < needed || words.length > command.words.length || words.includes(""))
    throw usageError(`Wrong number of words. ${helpOf(command)}`);
  return { words, options };
}

function parse({ name, options }: Command, args: string[]) {
  const known = Object.entries(options).map(([option, { type }]) => [option, { type }] as const);
  const help = { type: "boolean", short: "h" } as const;
  try {
    return parseArgs({ args, options: { ...Object.fromEntries(known), help }, allowPositionals: true });
  } catch (error) {
    throw usageError(`${shown((error as Error).message)} (signalbox ${name} --help)`);
  }
}
