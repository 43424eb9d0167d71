/** Signalbox inside a Hono app, under a sub-path and behind the app's own middleware. */
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { createRouter } from "@signalbox/http-hono";
import { Hono } from "hono";

const signalbox = createSignalbox({ storage: memoryStorage(), secretKey: "only for this example" });
const { administratorKey = "" } = await signalbox.start();

const app = new Hono();
app.use("*", async (c, next) => {
  await next();
  c.header("X-Served-By", "the host");
});
app.get("/", (c) => c.text("the host's own page"));
app.route("/ops", createRouter(signalbox));

const response = await app.request("/ops/api/app/get_tags/v1", { headers: { "X-API-Key": administratorKey } });
console.log(response.status, response.headers.get("X-Served-By"), await response.text());
await signalbox.stop();
