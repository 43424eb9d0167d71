import type { Notice, Receiver } from "../../model.ts";
import { messageApart } from "./apart.ts";

export interface Trial {
  readonly receiver: Pick<Receiver, "id" | "title">;
  /** Name of the person who asked for it. */
  readonly by: string;
  readonly kind: "firing" | "cleared";
  /** Id of the notice. */
  readonly id: string;
  /** Unix seconds. */
  readonly now: number;
  readonly product: string;
  /** Address of the client. */
  readonly baseUrl: string;
}

/** A test notice in the form of a real one, so that people can see whether a receiver is reachable. */
export function trialNotice({ receiver, by, kind, id, now, product, baseUrl }: Trial) {
  const notice: Notice = {
    id,
    problem: id,
    receiver: receiver.id,
    route: "",
    seq: 1,
    kind,
    date: now,
    severity: "info",
    new: [],
    repeated: [],
    over: [],
    still: [],
    groups: [],
    outcome: "pending",
    text: "",
    attempts: 1,
    next: now,
  };
  const message = `${by} tries this receiver out. Nothing is wrong.`;
  const state = kind === "cleared" ? "over" : "new";
  const entry = { title: "Test notice", nice_server: receiver.title, message, state } as const;
  return { notice, message: messageApart({ notice, entry, product, baseUrl }) };
}
