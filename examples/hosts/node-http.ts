/** A server of `node:http`; `node:https` works the same way. */
import { createServer } from "node:http";
import { nodeListener } from "@signalbox/http-hono/node";
import { forSatellites, ops, port, satellites } from "./ops.ts";

const operations = nodeListener(ops);
const asked = nodeListener(forSatellites);
const server = createServer((request, response) => {
  const path = request.url ?? "";
  if (/^\/ops(?:[/?]|$)/.test(path)) void operations(request, response);
  else if (/^\/(?:api|files|health)(?:[/?]|$)/.test(path)) void asked(request, response);
  else response.end("the host's own page");
});
satellites.attach(server);
server.listen(port, "127.0.0.1", () => console.log("Listening", server.address()));
