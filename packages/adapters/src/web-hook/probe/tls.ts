import { isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as secure, type TLSSocket } from "node:tls";
import type { TlsProbe } from "@signalbox/core/adapter";
import { connect, type Found, heard, listen, type ProbeContext } from "./connection.ts";

/**
 * The dialogue until the server is ready for TLS: each text that it must send, and our command that follows. A greeting may have
 * several lines with seconds in between: anti-spam servers reject a client that speaks before the last line.
 */
const TALKS: Readonly<Record<TlsProbe["starttls"], readonly (readonly [expected: RegExp, said: string])[]>> = {
  none: [],
  smtp: [
    [/^220(?: .*)?\r?\n/m, "EHLO signalbox\r\n"],
    [/^250(?: .*)?\r?\n/m, "STARTTLS\r\n"],
    [/^220(?: .*)?\r?\n/m, ""],
  ],
  imap: [
    [/^\* OK.*\r?\n/, "a1 STARTTLS\r\n"],
    [/^a1 OK.*\r?\n/m, ""],
  ],
};
/**
 * Matches the last line of any answer; earlier lines begin with a number and a hyphen, or with an asterisk. Any answer counts, so
 * that a server of another protocol is recognised at once instead of after the timeout.
 */
const LAST = { none: /$/, smtp: /(?:^|\n)(?!\d{3}-)[^\n]+\n/, imap: /(?:^|\n)(?!\* (?!BYE))[^\n]+\n/ };

export async function probeTls(probe: TlsProbe, context: ProbeContext): Promise<Found> {
  const socket = await connect(probe.host, probe.port, context);
  try {
    await talk(socket, probe);
    const { host, servername = isIP(host) === 0 ? host : undefined, verify } = probe;
    const options: ConnectionOptions = {
      ...context.tls,
      socket,
      rejectUnauthorized: verify,
      host,
      ...(servername === undefined ? {} : { servername }),
    };
    const made = secure(options);
    await heard(made, "secureConnect");
    return { address: socket.remoteAddress, certificateEnds: endOf(made) };
  } finally {
    socket.destroy();
  }
}

async function talk(socket: Socket, { starttls }: TlsProbe): Promise<void> {
  for (const [expected, said] of TALKS[starttls]) {
    const answer = await listen(socket, (text) => expected.test(text) || LAST[starttls].test(text));
    if (!expected.test(answer)) throw new Error(`The server does not go over to TLS: ${answer.slice(0, 100).trim()}`);
    socket.write(said);
  }
}

/** Expiry of the certificate in Unix seconds, read while the connection is open. */
function endOf(socket: TLSSocket): number | undefined {
  const ends = Date.parse(socket.getPeerCertificate().valid_to);
  return Number.isNaN(ends) ? undefined : ends / 1000;
}
