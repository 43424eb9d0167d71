import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";

type Fetch = Parameters<typeof serve>[0]["fetch"];

export interface Listening {
  readonly url: string;
  readonly server: ServerType;
  /** Passes requests on to the app, which may be created once the address is known. */
  answer(fetch: Fetch): void;
}

/** Listens on the loopback address; port 0 picks a free one. Ends the process with one sentence when the port is taken. */
export async function listen(port: number): Promise<Listening> {
  let app: Fetch = () => new Response("Starting", { status: 503, headers: { "Retry-After": "1" } });
  const server = serve({ fetch: (...request) => app(...request), port, hostname: "127.0.0.1" });
  await new Promise<void>((resolve) => {
    server.once("listening", resolve);
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken. Choose another one: PORT=${port + 1} npm start`;
      console.error(error.code === "EADDRINUSE" ? taken : `Cannot listen on port ${port}: ${error.message}`);
      process.exit(1);
    });
  });
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(fetch) {
      app = fetch;
    },
  };
}
