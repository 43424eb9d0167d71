type Variables = Readonly<Record<string, string>>;

const NAME = /^\{?([A-Za-z_]\w*)/;

interface Word {
  text: string;
  /** A quote starts a word even if nothing is in it. */
  started: boolean;
}

/**
 * Splits a command like a POSIX shell: blanks, both quotes, backslash and, if `variables` are given, `$NAME` and `${NAME}`.
 * Pipes, globs and substitutions are not interpreted, and the value of a variable is never split again. Throws `Error` for an
 * unclosed quote.
 */
export function splitWords(command: string, variables?: Variables): string[] {
  const words: string[] = [];
  const word: Word = { text: "", started: false };
  const finish = (): void => {
    if (word.started) words.push(word.text);
    word.text = "";
    word.started = false;
  };
  let quote = "";
  for (let at = 0; at < command.length; at++) {
    const letter = command[at] ?? "";
    if (quote === "" && /\s/.test(letter)) finish();
    else {
      word.started = true;
      const step = readLetter(command, at, { quote, variables });
      word.text += step.text;
      quote = step.quote;
      at += step.skip;
    }
  }
  if (quote) throw new Error(`Unclosed quote in command: ${quote}`);
  finish();
  return words;
}

interface State {
  readonly quote: string;
  readonly variables: Variables | undefined;
}

interface Step {
  readonly text: string;
  readonly quote: string;
  readonly skip: number;
}

function readLetter(command: string, at: number, state: State): Step {
  const { quote } = state;
  const letter = command[at] ?? "";
  const next = command[at + 1] ?? "";
  if (letter === quote) return { text: "", quote: "", skip: 0 };
  if (quote === "'") return { text: letter, quote, skip: 0 };
  if (quote === "" && (letter === "'" || letter === '"')) return { text: "", quote: letter, skip: 0 };
  if (letter === "\\" && isEscape(next, quote)) return { text: next === "\n" ? "" : next, quote, skip: 1 };
  return letter === "$" ? readVariable(command, at, state) : { text: letter, quote, skip: 0 };
}

/** Between double quotes, a backslash is literal unless a special character follows. */
const isEscape = (next: string, quote: string): boolean => next !== "" && (quote === "" || '"\\$`\n'.includes(next));

function readVariable(command: string, at: number, { quote, variables }: State): Step {
  const plain: Step = { text: "$", quote, skip: 0 };
  if (!variables) return plain;
  const rest = command.slice(at + 1);
  const name = NAME.exec(rest)?.[1];
  const braced = rest.startsWith("{");
  const length = (name?.length ?? 0) + (braced ? 2 : 0);
  if (name === undefined || (braced && rest[length - 1] !== "}")) return plain;
  const value = Object.hasOwn(variables, name) ? variables[name] : "";
  return { text: value ?? "", quote, skip: length };
}
