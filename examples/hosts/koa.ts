/** Koa 3, as middleware in front of body parsers. */
import { nodeListener } from "@signalbox/http-hono/node";
import Koa from "koa";
import { forSatellites, ops, port, satellites } from "./ops.ts";

const mounts = [
  { paths: /^\/ops(?:\/|$)/, listener: nodeListener(ops) },
  { paths: /^\/(?:api|files|health)(?:\/|$)/, listener: nodeListener(forSatellites) },
];
const app = new Koa();
app.use(async (context, next) => {
  const mount = mounts.find(({ paths }) => paths.test(context.path));
  if (!mount) return next();
  // The listener sends the response itself.
  context.respond = false;
  return mount.listener(context.req, context.res);
});
app.use((context) => {
  context.body = "the host's own page";
});

const server = app.listen(port, "127.0.0.1", () => console.log("Listening", server.address()));
satellites.attach(server);
