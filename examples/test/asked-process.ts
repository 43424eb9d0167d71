/** A program in its own process that answers questions over IPC until it is killed. Both ends of the channel. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { QUICK_PASSWORDS } from "../../scripts/code/code.ts";
import { CODE } from "./program.ts";

/** `n` matches a question with its answer; 0 is "ready". */
interface Asking {
  readonly n: number;
  readonly question: unknown;
}
interface Answering {
  readonly n: number;
  readonly answer?: unknown;
  readonly error?: string;
}

export interface AskedProcess<Question, Answer> {
  /** Rejects when answering fails, or the process is killed meanwhile. */
  ask(question: Question): Promise<Answer>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Resolves when the program says that it is ready. */
export async function startAsked<Question, Answer>(
  program: URL,
  env: Readonly<Record<string, string>>,
): Promise<AskedProcess<Question, Answer>> {
  const child = fork(fileURLToPath(program), {
    execArgv: [...CODE, ...QUICK_PASSWORDS],
    env: { ...process.env, ...env },
  });
  const gone = once(child, "exit");
  const ask = askOf(child, gone);
  await ask.ready;
  return {
    ask: async (question) => (await ask.ask(question)) as Answer,
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function askOf(child: ChildProcess, gone: Promise<unknown>) {
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let last = 0;
  const expect = (n: number): Promise<unknown> => new Promise((resolve, reject) => waiting.set(n, { resolve, reject }));
  child.on("message", ({ n, answer, error }: Answering) => {
    const waiter = waiting.get(n);
    waiting.delete(n);
    if (error === undefined) waiter?.resolve(answer);
    else waiter?.reject(new Error(error));
  });
  const giveUp = (): void => {
    for (const { reject } of waiting.values()) reject(new Error("The process is gone"));
  };
  gone.then(giveUp, giveUp);
  return {
    ready: expect(0),
    ask(question: unknown): Promise<unknown> {
      const n = ++last;
      const answer = expect(n);
      // A process killed meanwhile has no channel any more; its exit rejects pending questions.
      if (child.connected) child.send({ n, question } satisfies Asking, () => undefined);
      else waiting.get(n)?.reject(new Error("The process is gone"));
      return answer;
    },
  };
}

/** The program's end: reports that it is ready, and answers questions. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  const reply = (message: Answering): void => void process.send?.(message);
  process.on("message", ({ n, question }: Asking) => {
    answer(question as Question).then(
      (given) => reply({ n, answer: given }),
      (error: Error) => reply({ n, error: error.stack ?? error.message }),
    );
  });
  reply({ n: 0 });
}
