/** What commands tell: messages go to standard error and data to standard output, so that data can be piped. */
import { once } from "node:events";
import type { ReadStream, WriteStream } from "node:tty";
import type { Variables } from "../secret-environment.ts";

/** Where a command runs: the streams and variables of its process, or others for a test. */
export interface Terminal {
  readonly env: Variables;
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY">>;
}

/** A refusal with its reason, shown without a stack. */
export class CommandError extends Error {
  /** True when the command line itself or a variable is wrong. */
  readonly isUsage: boolean;
  /** Code with which a server refused. */
  readonly code: unknown;

  constructor(message: string, { isUsage = false, code, cause }: CommandErrorOptions = {}) {
    super(message, { cause });
    this.isUsage = isUsage;
    this.code = code;
  }
}

interface CommandErrorOptions extends ErrorOptions {
  readonly isUsage?: boolean;
  readonly code?: unknown;
}

export const usageError = (message: string): CommandError => new CommandError(message, { isUsage: true });

const MAX_SHOWN = 200;

/** Foreign text within a sentence: short, and without control characters that a terminal would interpret. */
export function shown(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ");
  return plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}…` : plain;
}

/** One sentence, for people. */
export const say = ({ stderr }: Terminal, sentence: string): void => void stderr.write(`${sentence}\n`);

/** Writes data for programs; waits while the reader of standard output is slow. */
export async function print({ stdout }: Terminal, text: string | Uint8Array): Promise<void> {
  if (!stdout.write(text)) await once(stdout, "drain");
}

/** A value as JSON in lines. */
export const printJson = (terminal: Terminal, value: unknown): Promise<void> =>
  print(terminal, `${JSON.stringify(value, null, 2)}\n`);
