/** Express 5, also behind its body parsers: the listener then takes the parsed body from `request.body`. */
import { nodeListener } from "@signalbox/http-hono/node";
import express from "express";
import { forSatellites, ops, port, satellites } from "./ops.ts";

const app = express();
app.use(express.json(), express.urlencoded());
app.get("/", (_request, response) => void response.send("the host's own page"));
app.use("/ops", nodeListener(ops));
app.use(["/api", "/files", "/health"], nodeListener(forSatellites));

const server = app.listen(port, "127.0.0.1", () => console.log("Listening", server.address()));
satellites.attach(server);
