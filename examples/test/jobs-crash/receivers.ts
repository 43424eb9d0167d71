import { appendFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";

/** An effect that arrived outside. */
export interface Arrival {
  /** Identifies repetitions: the idempotency key of a hook, the Message-ID of a mail. */
  readonly key: string;
  readonly effect: string;
  readonly job: string;
}

/** Receivers of web hooks, mails and the requests of jobs; they outlive the servers that are killed. */
export interface Receivers {
  readonly url: string;
  readonly smtp: string;
  readonly arrivals: readonly Arrival[];
  /** Arrivals that name no effect and no job. */
  readonly strangers: readonly string[];
  close(): Promise<void>;
}

/** Delay before a job's request is answered, so that some jobs are killed between running and hearing of it. */
const ANSWER_MS = 200;
const TOLD = /effect=(\w+) job=(\w+);/;

export async function startReceivers(runsFile: string): Promise<Receivers> {
  const arrivals: Arrival[] = [];
  const strangers: string[] = [];
  const take = (key: string, content: string): void => {
    const [, effect, job] = TOLD.exec(content) ?? [];
    if (effect && job && key) arrivals.push({ key, effect, job });
    else strangers.push(`${key}: ${content.slice(0, 500)}`);
  };
  const http = createHttpServer((request, response) => {
    const [, id] = /^\/run\/(\w+)$/.exec(request.url ?? "") ?? [];
    if (id !== undefined) {
      appendFileSync(runsFile, `${id}\n`);
      setTimeout(() => response.end("ran"), ANSWER_MS);
      return;
    }
    // A sender killed halfway has not delivered.
    text(request).then(
      (body) => {
        take(String(request.headers["x-idempotency-key"] ?? ""), body);
        response.end("ok");
      },
      () => response.destroy(),
    );
  });
  const smtp = createTcpServer((socket) => converse(socket, take));
  for (const server of [http, smtp]) await listen(server);
  return {
    url: `http://127.0.0.1:${portOf(http)}/`,
    smtp: `smtp://127.0.0.1:${portOf(smtp)}`,
    arrivals,
    strangers,
    async close() {
      http.closeAllConnections();
      for (const server of [http, smtp]) await new Promise((resolve) => server.close(resolve));
    },
  };
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const END = "\r\n.\r\n";
const ANSWERS: Readonly<Record<string, string>> = { DATA: "354 Go on", QUIT: "221 Bye" };

/** The receiving side of RFC 5321, as far as one sender needs it; a mail counts once its end has arrived. */
function converse(socket: Socket, take: (key: string, content: string) => void): void {
  let waiting = "";
  let isData = false;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const takeMail = (mail: string): void => {
    const [, id = ""] = /^Message-ID: *(<[^>]+>)/im.exec(mail) ?? [];
    take(id, mail.replaceAll("=\r\n", "").replaceAll("=3D", "="));
    say("250 Accepted");
  };
  const takeLine = (line: string): void => {
    const command = line.slice(0, 4).toUpperCase();
    isData = command === "DATA";
    say(ANSWERS[command] ?? "250 OK");
    if (command === "QUIT") socket.end();
  };
  socket.setEncoding("utf8").on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    waiting += String(chunk);
    for (let at = waiting.indexOf(isData ? END : "\r\n"); at >= 0; at = waiting.indexOf(isData ? END : "\r\n")) {
      const piece = waiting.slice(0, at);
      waiting = waiting.slice(at + (isData ? END.length : 2));
      if (!isData) takeLine(piece);
      else {
        isData = false;
        takeMail(piece);
      }
    }
  });
  say("220 Receiver of a test");
}
