/** React Router with a server of one's own, which is Express: Signalbox stands in front of the app. */

import { createRequestHandler } from "@react-router/express";
import { nodeListener } from "@signalbox/http-hono/node";
import express from "express";
import { forSatellites, ops, port, satellites, signalbox } from "../../hosts/ops.ts";

const build = await import(new URL("build/server/index.js", import.meta.url));
const app = express();
app.use("/ops", nodeListener(ops));
app.use(["/api", "/files", "/health"], nodeListener(forSatellites));
app.use(createRequestHandler({ build }));

const server = app.listen(port, "127.0.0.1", () => console.log("Listening", JSON.stringify(server.address())));
satellites.attach(server);
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, async () => {
    server.close();
    await signalbox.stop();
  });
