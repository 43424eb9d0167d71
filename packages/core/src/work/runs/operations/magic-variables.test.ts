import { expect, test } from "vitest";
import { anonymous, localClient } from "../../../kernel/calls/context.ts";
import { startJobs } from "../../../testing/test-jobs.ts";

type Members = Readonly<Record<string, unknown>>;

const KEY = "mykey";

/** Creates an event with a magic link; returns the parameters of the job that a call of the link launches. */
async function setUp(event: Members = {}, trigger: Members = {}, config: Members = {}) {
  const at = await startJobs({ config });
  await at.connect();
  await at.event({ id: "event100", triggers: [{ type: "magic", enabled: true, key: KEY, ...trigger }], ...event });
  return {
    at,
    async jobAfter(input: Members) {
      const client = { ...localClient, pathSuffix: KEY, ip: "203.0.113.7" };
      const answer = await at.signalbox.execute({ operation: "magic", input, actor: anonymous, client });
      return (await at.signalbox.api.getJob({ id: (answer as { id: string }).id })).job;
    },
    async paramsAfter(input: Members): Promise<Members> {
      return (await this.jobAfter(input)).params ?? {};
    },
    [Symbol.asyncDispose]: () => at.signalbox.stop(),
  };
}

const OBEYED = [
  ...["BASH_ENV", "NODE_OPTIONS", "PATH", "LD_PRELOAD", "_JAVA_OPTIONS", "BASH-ENV", "HTTP_PROXY"],
  ...["http_proxy", "npm_config_script_shell"],
];

test("a magic link sets environment variables that affect programs only where the event defines them", async () => {
  const fields = [{ id: "NAME", type: "text", title: "Name", value: "" }];
  await using link = await setUp({ fields, params: { script: "echo", MODE: "event" } }, { params: { LANG: "C" } });
  const obeyed = Object.fromEntries(OBEYED.map((name) => [name, "$(id)"]));
  const sent = { NAME: "Ann", MODE: "sent", LANG: "de", extra: "kept", git_ref: "main" };
  expect(await link.paramsAfter({ ...obeyed, ...sent })).toEqual({ script: "echo", ...sent });
  const filled = await link.paramsAfter({ json: JSON.stringify(obeyed) });
  expect(Object.keys(filled).sort()).toEqual(["LANG", "MODE", "NAME", "script"]);
});

test("a magic link replaces no variable that a secret or the configuration gives to the job", async () => {
  await using link = await setUp({}, {}, { job_env: { region: "north" } });
  const fields = [{ name: "db_url", value: "postgres://inside" }];
  await link.at.signalbox.api.createSecret({ id: "z1", title: "Z", fields, events: ["event100"] });
  const taken = { db_url: "postgres://outside", "db-url": "x", region: "south" };
  const params = await link.paramsAfter({ ...taken, free: "kept" });
  expect(params).toMatchObject({ free: "kept" });
  for (const name of Object.keys(taken)) expect(params).not.toHaveProperty(name);
});

test("a job reports which values of its link are ignored, up to a bound", async () => {
  await using link = await setUp();
  const warned = async (input: Members) => {
    const { activity } = await link.jobAfter(input);
    return (activity as { msg: string }[]).map(({ msg }) => msg).filter((msg) => msg.startsWith("WARNING"));
  };
  expect(await warned({ BRANCH: "main", extra: "kept" })).toEqual([
    "WARNING: Ignoring BRANCH: the event has no such parameter, and a link may not set this variable.",
  ]);
  const many = await warned(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`V${i}_${"X".repeat(200)}`, 1])));
  expect(many).toHaveLength(10);
  expect(Math.max(...many.map(({ length }) => length))).toBeLessThan(160);
  expect(await warned({ extra: "kept" })).toEqual([]);
});

test("the stream token that a magic link answers cannot be used to join as a server", async () => {
  await using link = await setUp();
  const client = { ...localClient, pathSuffix: KEY, ip: "203.0.113.7" };
  const call = { operation: "magic", input: {}, actor: anonymous, client };
  const { id, stream } = (await link.at.signalbox.execute(call)) as { id: string; stream: string };
  const stranger = { hostname: "evil.example", id: `stream${id}`, initial: { groups: ["main"] } };
  await expect(link.at.agent.connect({ ...stranger, join: { token: stream } })).rejects.toThrow("Invalid");
  expect((await link.at.signalbox.api.getActiveServers({})).rows.map((server) => server.id)).toEqual(["s1"]);
});
