/** The program that is killed: an engine that mails about tickets. The test sends it changes of tickets over IPC. */
import { flushCompileCache } from "node:module";
import { smtpMailer } from "@signalbox/adapters/mail";
import { createSignalbox } from "@signalbox/core";
import { type Clock, systemClock } from "@signalbox/core/adapter";
import { NotFoundError } from "@signalbox/core/plugin";
import { openStorage } from "../../lib/environment.ts";
import { answerQuestions } from "../asked-process.ts";
import type { Command, Sight } from "./protocol.ts";

const { STORAGE = "", SMTP = "", SHIFT = "0" } = process.env;
let shift = Number(SHIFT);
const POLL_MS = 1000;
const clock: Clock = {
  ...systemClock,
  now: () => systemClock.now() + shift,
  // Polls for due work more often, so that the test is short.
  after: (delayMs, task) => systemClock.after(delayMs === POLL_MS ? 50 : delayMs, task),
};
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const isFile = STORAGE.startsWith("sqlite:");
const storage = await openStorage(
  { kind: isFile ? "sqlite" : "postgres", location: STORAGE.replace(/^sqlite:/, "") },
  quiet,
);
const signalbox = createSignalbox({
  storage,
  clock,
  mailer: smtpMailer({ server: SMTP }),
  secretKey: "only for the crash test",
  log: quiet,
});
await signalbox.start();
const { api } = signalbox;
// A killed process writes no compile cache: this saves the next start from compiling everything again.
flushCompileCache();

async function look(id: string): Promise<Sight> {
  const { open } = await storage.work.stats();
  try {
    const { ticket } = await api.getTicket({ id });
    return { status: ticket.status, open };
  } catch (error) {
    if (error instanceof NotFoundError) return { status: undefined, open };
    throw error;
  }
}

async function answer(command: Command): Promise<Sight | undefined> {
  switch (command.kind) {
    case "create":
      await api.createTicket({ id: command.id, subject: command.id, notify: ["ops@example.com"] });
      return undefined;
    case "update":
      await api.updateTicket({ id: command.id, status: "closed" });
      return undefined;
    case "shift":
      shift += command.seconds;
      return undefined;
    case "look":
      return look(command.id);
  }
}

answerQuestions(answer);
