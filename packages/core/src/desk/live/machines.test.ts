import { describe, expect, test } from "vitest";
import { type Fleet, limitedTo, useFleets } from "../../../test/fleet/fleet.ts";
import { systemActor } from "../../kernel/calls/context.ts";
import quickmon from "../../testing/fixtures/agent-quickmon.json" with { type: "json" };
import type { UpdateStream } from "./operations.ts";

const start = useFleets();

interface Told {
  readonly loc: string;
  readonly page_cmd: string;
  readonly page_data: { readonly id: string; readonly [member: string]: unknown };
}

/** An engine with the servers `w1` in the group web and `d1` in the group db. */
async function prepare() {
  const fleet = await start();
  const { api } = fleet.signalbox;
  for (const [id, hostname_match] of Object.entries({ web: "^w", db: "^d" }))
    await api.createGroup({ id, title: id, hostname_match });
  const [web, db] = [
    await fleet.agent.connect({ hostname: "w1", id: "w1" }),
    await fleet.agent.connect({ hostname: "d1", id: "d1" }),
  ];
  return { fleet, web, db };
}

/** Opens the channel with a page, and collects the messages to that page. */
async function look({ signalbox, clock }: Fleet, loc: string, actor = systemActor): Promise<Told[]> {
  const { updates } = (await signalbox.execute({
    ...{ operation: "stream_updates", input: { loc }, actor },
  })) as UpdateStream;
  const seen: Told[] = [];
  void (async () => {
    for await (const { cmd, data } of updates) if (cmd === "page_update") seen.push(data as never);
  })();
  await clock.advance(2);
  return seen;
}

describe.each(["Servers?id=w1", "Groups?id=web"])("a viewer of %s", (loc) => {
  test("gets the satellite's report each second", async () => {
    const { fleet, web } = await prepare();
    const seen = await look(fleet, loc);
    web.send("quickmon", quickmon);
    await fleet.clock.advance(2);
    const { servers } = await fleet.signalbox.api.getQuickmonData({ server: "w1", shape: "samples" });
    const row = servers["w1"]?.at(-1);
    expect(seen).toEqual([{ loc, page_cmd: "quickmon", page_data: { id: "w1", row, data: quickmon } }]);
  });

  test("gets each minute the answer of get_server", async () => {
    const { fleet, web } = await prepare();
    const seen = await look(fleet, loc);
    for (const load of [1, 2]) {
      await fleet.minute(web, { load: [load] });
      await fleet.clock.advance(5);
    }
    const { data } = await fleet.signalbox.api.getServer({ id: "w1" });
    expect(seen.map(({ page_cmd, page_data }) => [page_cmd, page_data.id])).toEqual([
      ["snapshot", "w1"],
      ["snapshot", "w1"],
    ]);
    expect(seen.at(-1)).toEqual({ loc, page_cmd: "snapshot", page_data: { id: "w1", snapshot: data } });
  });

  test("gets nothing about other servers, and nothing about servers out of reach", async () => {
    const { fleet, web, db } = await prepare();
    const [all, own, other] = [
      await look(fleet, loc),
      await look(fleet, loc, limitedTo("web")),
      await look(fleet, loc, limitedTo("db")),
    ];
    for (const server of [web, db]) {
      server.send("quickmon", quickmon);
      await fleet.minute(server, { load: [1] });
    }
    await fleet.clock.advance(5);
    for (const seen of [all, own]) expect(new Set(seen.map(({ page_data }) => page_data.id))).toEqual(new Set(["w1"]));
    expect(other).toEqual([]);
  });
});

test("gets nothing about servers at a page of something else", async () => {
  const { fleet, web } = await prepare();
  const seen = await Promise.all(["Server?id=w1", "Servers", "Groups?id=", "Job?id=w1"].map((loc) => look(fleet, loc)));
  web.send("quickmon", quickmon);
  await fleet.minute(web, { load: [1] });
  await fleet.clock.advance(5);
  expect(seen.flat()).toEqual([]);
});
