/** Questions to the watch inside a process, each with a timeout. */
import type { ChildProcess } from "node:child_process";
import type { Figures, Order, Told } from "./messages.ts";

export type Observer = (told: Told) => void;
type Answered = Extract<Told, { n: number }>;

const ANSWER_MS = 30_000;

export function startChannel(child: ChildProcess, exited: Promise<void>, observe: Observer) {
  const waiting = new Map<number, (told: Answered | undefined) => void>();
  let last = 0;
  child.on("message", (told: Told) => {
    if (!("n" in told)) return observe(told);
    waiting.get(told.n)?.(told);
    waiting.delete(told.n);
  });
  const giveUp = (): void => {
    for (const resolve of waiting.values()) resolve(undefined);
    waiting.clear();
  };
  exited.then(giveUp, giveUp);
  function send(order: Order): Promise<Answered | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), ANSWER_MS);
      waiting.set(order.n, (told) => {
        clearTimeout(timer);
        resolve(told);
      });
      if (child.connected) child.send(order, () => undefined);
      else giveUp();
    });
  }
  return {
    async figures(reset: boolean): Promise<Figures | undefined> {
      const told = await send({ kind: "figures", n: ++last, reset });
      return told?.kind === "figures" ? told.figures : undefined;
    },
    async pragma(text: string): Promise<string | undefined> {
      const told = await send({ kind: "pragma", n: ++last, text });
      return told?.kind === "done" ? told.error : "the server does not answer";
    },
  };
}
