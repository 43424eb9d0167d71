import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Receives the web hooks and counts them by idempotency key. It outlives the hosts that are killed. */
export async function startReceiver() {
  const hits = new Map<string, number>();
  const server = createServer((request, response) => {
    const key = String(request.headers["x-idempotency-key"]);
    hits.set(key, (hits.get(key) ?? 0) + 1);
    request.resume();
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, hits, close };
}
