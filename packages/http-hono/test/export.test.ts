import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createRouter } from "../src/index.ts";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE, STORAGES } from "./open-storage.ts";

const KEY = "administrator0123456789abc";
const BOM = "\ufeff";

async function open(name: string, tickets: readonly object[] = []) {
  const at = await openEngine(name, { administratorKey: KEY, config: { tz: "UTC" } });
  for (const ticket of tickets) expect((await at.admin.post("create_ticket", ticket)).status).toBe(200);
  const app = createRouter(at.engine);
  const get = (query: string, key = KEY) =>
    app.request(`/api/app/bulk_search_export/v1?${query}`, { headers: { "x-api-key": key } });
  /** The text, including the byte order mark. */
  const text = async (query: string): Promise<string> => Buffer.from(await (await get(query)).arrayBuffer()).toString();
  return { ...at, get, text };
}

const three = [
  { id: "ta", subject: "Lamp, dark", body: "b", assignees: [], tags: [], status: "open" },
  { id: "tb", subject: '=HYPERLINK("x")', body: "line one\nline two", status: "closed", due: 1_800_000_000 },
  { id: "tc", subject: "Zip", status: "open", due: 1_700_000_000, extra: { deep: [1, { a: 2 }] } },
];

describe.each(ONE_STORAGE)("exports of tables over %s", (name) => {
  test("a table has its columns in the requested order, as text that no spreadsheet executes", async () => {
    const at = await open(name, three);
    const response = await at.get("index=tickets&columns=num,subject,body,extra.deep&format=csv&sort_dir=1");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="signalbox-tickets-export-2027-01-15-[a-z0-9]+\.csv"$/,
    );
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(
      `${BOM}num,subject,body,extra.deep\n1,"Lamp, dark",b,\n2,"'=HYPERLINK(""x"")",line one line two,\n3,Zip,,"[1,{""a"":2}]"\n`,
    );
    expect(await at.text("index=tickets&columns=id&columns=due&format=tsv&query=status:open&sort_by=num")).toBe(
      `${BOM}id\tdue\ntc\t1700000000\nta\t0\n`,
    );
  });

  test("lines of JSON contain unchanged values, compressed on request", async () => {
    const at = await open(name, three);
    const response = await at.get("index=tickets&columns=id,due,none&format=ndjson&compress=1&sort_by=num&sort_dir=1");
    expect(response.headers.get("content-type")).toBe("application/gzip");
    expect(response.headers.get("content-disposition")).toMatch(/\.ndjson\.gz"$/);
    const lines = gunzipSync(Buffer.from(await response.arrayBuffer()))
      .toString()
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { id: "ta", due: 0, none: null },
      { id: "tb", due: 1_800_000_000, none: null },
      { id: "tc", due: 1_700_000_000, none: null },
    ]);
  });
});

describe.each(STORAGES)("the order of an export over %s", (name) => {
  test("includes every match once, as in a search, for every order", async () => {
    const at = await open(name);
    const { api } = at.engine;
    for (let n = 0; n < 130; n++) await api.createTicket({ id: `t${(n * 37) % 130}`, subject: `Lamp ${n}` });
    for (const sort of ["", "&sort_by=modified", "&sort_by=num", "&sort_by=modified&sort_dir=1", "&sort_dir=1"]) {
      const all = (await at.text(`index=tickets&columns=id&format=tsv&query=lamp${sort}`)).trim().split("\n").slice(1);
      const found = await at.admin.get(`search_tickets/v1?query=lamp&limit=1000&compact=1${sort}`);
      expect(all).toEqual(found.body.rows.map(({ id }: { id: string }) => id));
      expect(new Set(all).size).toBe(130);
    }
    const some = await at.text("index=tickets&columns=num&format=tsv&query=lamp&sort_by=num&offset=125");
    expect(some.trim().split("\n").slice(1)).toEqual(["5", "4", "3", "2", "1"]);
  });
});

describe.each(ONE_STORAGE)("refused exports over %s", (name) => {
  test.each([
    ["index=nope&columns=id&format=csv", 400, "api", "Index not found: nope"],
    ["index=tickets&format=csv", 400, "api", "Missing parameter: columns"],
    ["index=tickets&columns=id&format=xml", 400, "api", "Malformed parameter: format"],
    ["index=tickets&columns=id&format=csv&sort_by=x", 500, "ticket", "Failed DB search: Error: Cannot find sorter: x"],
    ["index=jobs&columns=id&format=csv&query=(a)", 400, "db", "Failed DB search: Expected an operator at character 3"],
  ])("with %s are refused before the file begins", async (query, _status, code, description) => {
    const at = await open(name);
    const response = await at.get(query);
    expect(await response.json()).toEqual({ code, description });
  });

  test("include all for limited callers, and the log for all but administrators", async () => {
    const at = await open(name);
    const limits = { title: "L", privileges: {}, groups: ["main"] };
    const { body: limited } = await at.admin.post("create_api_key", limits);
    const { body: free } = await at.admin.post("create_api_key", { title: "F", privileges: {} });
    const query = "columns=id,action&format=tsv";
    const refused = await at.get(`index=tickets&${query}`, limited.plain_key);
    expect(await refused.json()).toEqual({
      code: "access",
      description: "You do not have the required account privileges to use this API.",
    });
    expect((await at.get(`index=tickets&${query}`, free.plain_key)).status).toBe(200);
    expect((await at.get(`index=activity&${query}`, free.plain_key)).status).toBe(403);
    expect(await at.text(`index=activity&${query}`)).toContain("apikey_create");
    for (const index of ["jobs", "servers", "alerts", "snapshots"])
      expect(await at.text(`index=${index}&columns=id&format=csv`)).toBe(`${BOM}id\n`);
  });
});
