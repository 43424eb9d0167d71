import { expect, test } from "vitest";
import { hot, hotMinute, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";
import type { WebHookRequest } from "../../ports/outside/web-hook-client.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };
const ONE = ["desk"];

/** A server that runs hot, with a desk, its lead and incident services as possible receivers. */
async function setUp(to: readonly string[]) {
  const requests: WebHookRequest[] = [];
  const answer = { status: 202 };
  const webHooks = {
    async send(request: WebHookRequest) {
      requests.push(request);
      return { status: answer.status, statusText: "Said", headers: {}, body: "{}", elapsedMs: 5 };
    },
  };
  const { mailer, sent } = keepingMailer();
  const fleet = await start({ config, mailer, webHooks });
  const { api } = fleet.signalbox;
  await api.createAlert({ ...hot, severity: "critical" });
  for (const id of ["desk", "lead"]) {
    const members = { id, title: id, type: "mail", email: `${id}@example.com` } as const;
    await api.createReceiver(members);
  }
  await api.createReceiver({ id: "pd", title: "PD", type: "pagerduty", settings: { routing_key: "R0" } });
  await api.createReceiver({ id: "og", title: "OG", type: "opsgenie", settings: { key: "k" } });
  await api.createRoute({ title: "All", repeat_interval: 0, steps: [{ after: 0, to: [...to] }] } as never);
  const agent = await join(fleet, "s1");
  const minute = async (temp: number) => {
    await hotMinute(fleet, agent, temp);
    await fleet.clock.advance(2);
  };
  await minute(60);
  const [problem] = (await api.getProblems({})).rows;
  const acknowledge = async (comment: string) => {
    const answer = await api.acknowledgeProblem({ id: problem?.id ?? "", comment });
    await fleet.clock.advance(12);
    return answer.problem;
  };
  const told = () => sent.map(({ to: [address], subject }) => `${address}: ${subject}`);
  return { fleet, api, answer, sent, requests, minute, problem, acknowledge, told };
}

test("notified receivers learn who acknowledged and the comment, and are not notified of the end", async () => {
  const at = await setUp(["desk", "lead"]);
  expect(at.sent).toHaveLength(2);
  await at.acknowledge("restarting {{ secrets.KEY }}");
  expect(at.told().slice(2).toSorted()).toEqual([
    "desk@example.com: [acknowledged] Too hot on Web (host-s1)",
    "lead@example.com: [acknowledged] Too hot on Web (host-s1)",
  ]);
  expect(at.sent.at(-1)?.text).toContain("system is on it: restarting {{ secrets.KEY }}");
  expect(at.sent.at(-1)?.text).not.toContain("/ack/");
  const [notice] = (await at.api.searchNotices({ query: "kind:acknowledged", limit: 1 })).rows;
  const [invocation] = at.problem?.members ?? [];
  expect(notice).toMatchObject({
    acknowledged: { invocations: [invocation?.invocation], who: "system", comment: "restarting {{ secrets.KEY }}" },
    outcome: "sent",
  });
  await at.minute(60);
  await at.minute(40);
  await at.fleet.clock.advance(400);
  expect(at.sent).toHaveLength(4);
});

test("a receiver that is the only one gets no notice of an acknowledgement", async () => {
  const at = await setUp(ONE);
  await at.acknowledge("");
  expect(at.sent).toHaveLength(1);
});

test("the answer to an acknowledgement is the problem with it, as later reads show it", async () => {
  const at = await setUp(["desk", "lead"]);
  expect(at.problem).toMatchObject({ acknowledged: false, clock: expect.any(Number), members: [{ state: "live" }] });
  const answered = await at.acknowledge("on it");
  const { problem } = await at.api.getProblem({ id: at.problem?.id ?? "" });
  const hold = { kind: "acknowledgement", id: "system", title: "on it" };
  for (const shown of [answered, problem])
    expect(shown).toMatchObject({ acknowledged: true, clock: null, members: [{ state: "held", hold }] });
  expect(answered.members[0]?.hold).toEqual(problem.members[0]?.hold);
  expect(answered.members[0]).not.toHaveProperty("free");
});

test("an undelivered notice of an acknowledgement has no fallback", async () => {
  const at = await setUp(["pd"]);
  at.answer.status = 404;
  await at.acknowledge("");
  const { rows } = await at.api.searchNotices({ limit: 9 });
  expect(rows.map(({ kind, receiver, outcome }) => [kind, receiver, outcome])).toEqual([
    ["acknowledged", "pd", "failed"],
    ["firing", "pd", "sent"],
  ]);
  expect(at.sent).toEqual([]);
});

test("incident services acknowledge and close their incident, each under its key", async () => {
  const at = await setUp(["pd", "og"]);
  await at.acknowledge("restarting");
  await at.minute(40);
  await at.fleet.clock.advance(5);
  const { id = "" } = at.problem ?? {};
  const key = `signalbox-${id}`;
  const bodies = at.requests.map(({ url, body = "" }) => ({ url, ...JSON.parse(String(body)) }));
  const pd = bodies.filter(({ url }) => url.includes("pagerduty"));
  expect(pd.map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
    ["trigger", key],
    ["acknowledge", key],
    ["resolve", key],
  ]);
  const og = bodies.filter(({ url }) => url.includes("opsgenie"));
  const alerts = "https://api.opsgenie.com/v2/alerts";
  expect(og.map(({ url }) => url)).toEqual([
    alerts,
    `${alerts}/${id}/acknowledge?identifierType=alias`,
    `${alerts}/${id}/close?identifierType=alias`,
  ]);
  expect(og[1]?.note).toMatch(/^system is on it: restarting\n/);
});
