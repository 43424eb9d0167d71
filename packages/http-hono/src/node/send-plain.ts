import type { OutgoingHttpHeaders } from "node:http";
import type { PlainAnswer } from "../answer/plain-answer.ts";

/** Members of both kinds of Node's answers that are used. */
export interface Outgoing {
  readonly headersSent: boolean;
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  end(body: string | Uint8Array): unknown;
}

/** Sends an answer that needs no `Response`. */
export function sendPlain({ body, headers, status }: PlainAnswer, outgoing: Outgoing): void {
  // Code of the host may have answered meanwhile.
  if (outgoing.headersSent) return;
  outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  outgoing.end(body);
}
