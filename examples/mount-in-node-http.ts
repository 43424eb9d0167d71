/** Signalbox in any Node server: it answers requests below /api, and the host answers the rest. */
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { createHandler } from "@signalbox/http-hono";

const signalbox = createSignalbox({ storage: memoryStorage(), secretKey: "only for this example" });
const { administratorKey = "" } = await signalbox.start();

const operations = getRequestListener(createHandler(signalbox));
const server = createServer((request, response) => {
  if (request.url?.startsWith("/api/")) void operations(request, response);
  else response.end("the host's own page");
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const port = typeof address === "object" && address ? address.port : 0;

const url = `http://127.0.0.1:${port}`;
console.log(await (await fetch(url)).text());
const response = await fetch(`${url}/api/app/get_tags/v1`, { headers: { "X-API-Key": administratorKey } });
console.log(response.status, await response.text());
server.close();
await signalbox.stop();
