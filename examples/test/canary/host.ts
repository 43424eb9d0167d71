import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fsBlobStore } from "@signalbox/adapters/blobs";
import { localAgent, nodeProcesses } from "@signalbox/adapters/local-agent";
import { fileLogger, jsonLogger } from "@signalbox/adapters/log";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox, defineEvent } from "@signalbox/core";
import type { Mail } from "@signalbox/core/adapter";
import { createRouter } from "@signalbox/http-hono";
import { sqliteStorage } from "@signalbox/storage-sqlite";

/** A complete request that the receiver of web hooks got. */
export interface Received {
  readonly url: string;
  readonly headers: string;
  readonly body: string;
}

async function startReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request);
    received.push({ url: request.url ?? "", headers: JSON.stringify(request.rawHeaders), body });
    // The receiver echoes the request, as many do in their errors.
    response.writeHead(request.url?.startsWith("/bad") ? 400 : 200, { "X-Echo": request.url });
    response.end(`you sent ${request.url} ${JSON.stringify(request.rawHeaders)} ${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received, close: () => new Promise((resolve) => server.close(resolve)) };
}

interface HostOptions {
  readonly directory: string;
  readonly secretKey: string;
  readonly administratorKey: string;
  readonly administratorPassword: string;
  readonly mailPassword: string;
}

/** Starts a whole host and keeps everything it writes: log lines, mails, and the requests of web hooks. */
export async function startHost(options: HostOptions) {
  const { directory, secretKey, administratorKey, administratorPassword, mailPassword } = options;
  const receiver = await startReceiver();
  const lines: string[] = [];
  const mails: Mail[] = [];
  const seenByFunction: string[] = [];
  const also = jsonLogger({ level: "debug", write: (line) => void lines.push(line) });
  const log = fileLogger({ folder: join(directory, "logs"), level: "debug", also });
  const blobs = fsBlobStore(join(directory, "blobs"));
  const processes = nodeProcesses();
  const chatty = defineEvent({
    id: "chatty",
    title: "A function that says all it knows",
    run({ secrets, log: print }) {
      seenByFunction.push(secrets["TOKEN"] ?? "");
      print(`the token is ${secrets["TOKEN"]}\n`);
      return { token: secrets["TOKEN"], nested: [secrets] };
    },
  });
  const signalbox = createSignalbox({
    ...{ secretKey, administratorKey, administratorPassword, blobs, log, logFiles: log, processes },
    storage: sqliteStorage({ filename: join(directory, "canary.sqlite"), log }),
    agents: localAgent({ processes, blobs, tempDir: directory }),
    webHooks: fetchWebHookClient({ allow: ["loopback"] }),
    mailer: { send: async (mail) => void mails.push(mail) },
    events: [chatty],
    config: { max_inline_job_log_size: 200, mail_settings: { auth: { user: "u", pass: mailPassword } } },
  });
  await signalbox.start();
  const router = createRouter(signalbox, { log });
  return {
    ...{ signalbox, router, receiver, lines, mails, seenByFunction },
    async stop() {
      await signalbox.stop();
      await receiver.close();
    },
  };
}

export type Host = Awaited<ReturnType<typeof startHost>>;
