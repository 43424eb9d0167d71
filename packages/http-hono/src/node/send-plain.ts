import type { OutgoingHttpHeaders } from "node:http";
import type { PlainAnswer } from "../answer/plain-answer.ts";

/** The members that HTTP/1 and HTTP/2 responses of Node share and that are used here. */
export interface Outgoing {
  readonly headersSent: boolean;
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  end(body: string | Uint8Array): unknown;
}

/** Sends an answer without a `Response`. */
export function sendPlain({ body, headers, status }: PlainAnswer, outgoing: Outgoing): void {
  // Code of the host may already have answered.
  if (outgoing.headersSent) return;
  outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  outgoing.end(body);
}
