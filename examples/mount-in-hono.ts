/** Signalbox inside a Hono app, under a sub-path: the app's own sign-in applies, so users sign in once. */
import { createSignalbox, type HostUser, memoryStorage } from "@signalbox/core";
import { createRouter } from "@signalbox/http-hono";
import { Hono } from "hono";
import { getCookie } from "hono/cookie";

const signalbox = createSignalbox({ storage: memoryStorage(), secretKey: "only for this example" });
const { administratorKey = "" } = await signalbox.start();
await signalbox.api.createRole({ id: "taggers", title: "Taggers", privileges: { create_tags: true } });

// Stands for the session store that your app already has.
const sessions = new Map<string, HostUser>([["s1", { id: "ann", name: "Ann Lee", roles: ["taggers"] }]]);
const signedIn = new WeakMap<Request, HostUser>();

const app = new Hono();
app.use("*", async (c, next) => {
  const user = sessions.get(getCookie(c, "app_session") ?? "");
  // Your middleware must also reject forms from foreign pages: the cookie is yours, so this is your responsibility.
  const site = c.req.header("Sec-Fetch-Site");
  if (user && c.req.method !== "GET" && site && site !== "same-origin") return c.text("Not from here", 403);
  if (user) signedIn.set(c.req.raw, user);
  await next();
  c.header("X-Served-By", "the host");
});
app.get("/", (c) => c.text("the host's own page"));
app.route("/ops", createRouter(signalbox, { resolveUser: (request) => signedIn.get(request) }));

async function call(operation: string, headers: Record<string, string>, body?: object): Promise<string> {
  const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const typed = { "Content-Type": "application/json", ...headers };
  const response = await app.request(`/ops/api/app/${operation}/v1`, { ...init, headers: typed });
  return `${response.status} ${response.headers.get("X-Served-By")} ${await response.text()}`.trim();
}

console.log(await call("get_tags", { "X-API-Key": administratorKey }));
console.log(await call("create_tag", { Cookie: "app_session=s1" }, { title: "By Ann", id: "by_ann" }));
console.log(await call("create_tag", { Cookie: "app_session=unknown" }, { title: "By nobody" }));
await signalbox.stop();
