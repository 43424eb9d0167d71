import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { BAD_URL, type Members, serverToken, setUp } from "../../../test/fleet/satellite-setup.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";
import { commands } from "../../testing/test-jobs.ts";

describe("the package of an agent", () => {
  const linux = { os: "linux", arch: "x64" };

  test("comes from the blob store", async () => {
    const at = await setUp();
    await at.put("satellite/latest/satellite-linux-x64.tar.gz", "archive");
    const { body = [], ...answer } = await at.open("core", { t: at.key, ...linux });
    expect(answer).toEqual({
      contentType: "application/gzip",
      headers: { "Content-Disposition": 'attachment; filename="satellite-linux-x64.tar.gz"', "Content-Length": "7" },
    });
    expect(Buffer.concat(await Array.fromAsync(body)).toString()).toBe("archive");
  });

  test.each([
    ["latest", "https://example.com/agent/latest/download/satellite-linux-x64.tar.gz"],
    ["v1.2", "https://example.com/agent/download/v1.2/satellite-linux-x64.tar.gz"],
  ])("of release %s is fetched from %s when there is none", async (version, url) => {
    const at = await setUp({ satellite: { version, base_url: "https://example.com/agent/" } });
    const answer = await at.open("core", { t: at.key, ...linux });
    expect(answer).toMatchObject({ status: 302, headers: { Location: url } });
  });

  test("is fetched again once it is old, when there is an address for it", async () => {
    const settings = { base_url: "https://example.com", cache_ttl: 60 };
    const [at, closed] = [await setUp({ satellite: settings }), await setUp({ satellite: { cache_ttl: 60 } })];
    for (const { put, clock, open, key } of [at, closed]) {
      await put("satellite/latest/satellite-linux-x64.tar.gz");
      expect((await open("core", { t: key, ...linux })).status).toBeUndefined();
      await clock.advance(61);
    }
    expect((await at.open("core", { t: at.key, ...linux })).status).toBe(302);
    expect((await closed.open("core", { t: closed.key, ...linux })).status).toBeUndefined();
  });

  test("is not found when there is none anywhere", async () => {
    const at = await setUp();
    const answer = await at.open("core", { t: at.key, ...linux });
    expect(answer).toMatchObject({ status: 404, contentType: "application/json" });
    expect(JSON.parse(Buffer.concat(await Array.fromAsync(answer.body ?? [])).toString())).toEqual({
      code: "satellite",
      description: "File not found: satellite-linux-x64.tar.gz",
    });
    expect(await refusalOf(at.open("core", { t: at.key, os: "linux" }))).toEqual(BAD_URL);
  });
});

describe("get_satellite_releases", () => {
  const list_url = "https://api.example.com/releases";
  const body = JSON.stringify([{ tag_name: "v1.0.40", name: "Forty", published_at: "2026-11-01T00:00:00Z" }]);

  test("offers only the latest without a list", async () => {
    const at = await setUp();
    expect(await at.api.getSatelliteReleases()).toEqual({ releases: ["latest"] });
    expect(at.client.sent).toEqual([]);
  });

  test("asks once and caches the answer, under the rules for requests", async () => {
    const at = await setUp(
      { satellite: { list_url }, airgap: { enabled: true, whitelist: ["api.example.com"] } },
      { body },
    );
    const both = await Promise.all([at.api.getSatelliteReleases(), at.api.getSatelliteReleases()]);
    expect(both).toEqual(Array(2).fill({ releases: ["latest", "v1.0.40"] }));
    expect((await at.api.getSatelliteReleases({ verbose: true })).releases).toEqual([
      { version: "latest" },
      { version: "v1.0.40", title: "Forty", published: "2026-11-01T00:00:00Z" },
    ]);
    expect(at.client.sent).toMatchObject([
      { method: "GET", url: list_url, targets: { airGap: { whitelist: ["api.example.com"] } } },
    ]);
    await at.clock.advance(3601);
    await at.api.getSatelliteReleases();
    expect(at.client.sent).toHaveLength(2);
  });

  test("a failure is reported without details, and an old list is better than none", async () => {
    const failed = { code: "satellite", description: "Failed to fetch the list of releases." };
    const at = await setUp({ satellite: { list_url } }, { status: 500 }, { body }, new Error("no way to 10.0.0.1"));
    expect(await refusalOf(at.api.getSatelliteReleases())).toEqual(failed);
    expect((await at.api.getSatelliteReleases()).releases).toEqual(["latest", "v1.0.40"]);
    await at.clock.advance(3601);
    expect((await at.api.getSatelliteReleases()).releases).toEqual(["latest", "v1.0.40"]);
    expect(at.client.sent).toHaveLength(3);
    // Callers of the next minute do not wait for another timeout.
    await at.clock.advance(58);
    expect((await at.api.getSatelliteReleases()).releases).toEqual(["latest", "v1.0.40"]);
    expect(at.client.sent).toHaveLength(3);
    await at.clock.advance(3);
    await at.api.getSatelliteReleases();
    expect(at.client.sent).toHaveLength(4);
  });
});

describe("admin_upgrade_workers", () => {
  async function fleet() {
    const at = await setUp({ satellite: { base_url: "https://example.com" } });
    const servers: ScriptedServer[] = [];
    for (const n of [1, 2, 3])
      servers.push(
        await at.connect({
          id: `s${n}`,
          hostname: `w${n}.example.internal`,
          initial: { groups: [n === 3 ? "db" : "main"] },
        }),
      );
    const told = () => servers.map((server) => commands(server, "upgrade").length);
    return { ...at, servers, told };
  }

  test("upgrades servers and servers of groups one by one, each once", async () => {
    const at = await fleet();
    const input = { targets: ["main", "s1", "s3"], release: "v2", stagger: 10 };
    expect(await at.api.adminUpgradeWorkers(input)).toEqual({
      id: expect.stringMatching(/^i/),
      servers: ["s1", "s2", "s3"],
      stagger: 10,
      release: "v2",
    });
    await at.settle();
    expect(at.told()).toEqual([1, 0, 0]);
    await at.clock.advance(10);
    expect(at.told()).toEqual([1, 1, 0]);
    await at.clock.advance(100);
    expect(at.told()).toEqual([1, 1, 1]);
    expect(commands(at.servers[0] as never, "upgrade")).toEqual([{ cmd: "upgrade", data: {} }]);
    const core = await at.open("core", { t: serverToken("s2"), s: "s2", os: "linux", arch: "arm64" });
    expect(core.headers?.["Location"]).toBe("https://example.com/download/v2/satellite-linux-arm64.tar.gz");
    const { rows } = await at.api.searchActivity({ query: "action:internal_job" } as never);
    expect(rows.map((row) => (row["job"] as { params: object }).params)).toMatchObject([
      { servers: ["s1", "s2", "s3"], release: "v2", stagger: 10 },
    ]);
  });

  test("one round runs at a time", async () => {
    const at = await fleet();
    await at.api.adminUpgradeWorkers({ targets: ["s1", "s2"], stagger: 60 });
    expect(await refusalOf(at.api.adminUpgradeWorkers({ targets: ["s3"] }))).toEqual({
      code: "admin",
      description: "Another maintenance job is already running.",
    });
    await at.clock.advance(61);
    await at.api.adminUpgradeWorkers({ targets: "s3" as never });
    await at.settle();
    expect(at.told()).toEqual([1, 1, 1]);
  });

  test("a server that disconnected in between is skipped", async () => {
    const at = await fleet();
    await at.api.adminUpgradeWorkers({ targets: ["main", "s3"], stagger: 5 });
    at.servers[1]?.close();
    await at.clock.advance(20);
    expect(at.told()).toEqual([1, 0, 1]);
  });

  test("a disconnected server is left out", async () => {
    const at = await fleet();
    at.servers[1]?.close();
    await at.settle();
    expect((await at.api.adminUpgradeWorkers({ targets: ["s1", "s2"] })).servers).toEqual(["s1"]);
    await at.settle();
    expect(at.told()).toEqual([1, 0, 0]);
  });

  test("a stop of the engine ends the round", async () => {
    const at = await fleet();
    await at.api.adminUpgradeWorkers({ targets: ["main"], stagger: 3600 });
    await at.clock.advance(0.1);
    await at.signalbox.stop();
    expect(at.told()).toEqual([1, 0, 0]);
  });

  test.each<[Members, { code: string; description: string }]>([
    [{ targets: ["gone"] }, { code: "admin", description: "Server or group not found: gone" }],
    [{ targets: ["s1", "gone"] }, { code: "admin", description: "Server or group not found: gone" }],
    [{}, { code: "api", description: "Missing parameter: targets" }],
    [{ targets: [] }, { code: "api", description: "Malformed parameter: targets" }],
    ...["a/b", ".", ".."].map((release): [Members, { code: string; description: string }] => [
      { targets: ["s1"], release },
      { code: "api", description: "Malformed parameter: release" },
    ]),
    [
      { targets: ["s1"], stagger: -1 },
      { code: "api", description: "Malformed parameter: stagger" },
    ],
    [
      { targets: ["s1"], stagger: 3601 },
      { code: "api", description: "Malformed parameter: stagger" },
    ],
  ])("%j is refused", async (input, refusal) => {
    const at = await fleet();
    expect(await refusalOf(at.api.adminUpgradeWorkers(input as never))).toEqual(refusal);
    expect(at.told()).toEqual([0, 0, 0]);
  });

  test("a group without connected servers is refused", async () => {
    const at = await setUp();
    expect(await refusalOf(at.api.adminUpgradeWorkers({ targets: ["main"] }))).toEqual({
      code: "admin",
      description: "None of the servers is connected.",
    });
  });
});
