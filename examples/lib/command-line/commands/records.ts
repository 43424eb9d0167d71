import { type Caller, type Members, withCaller } from "../caller.ts";
import type { Given } from "../commands.ts";
import { CommandError, print, printJson, shown, usageError } from "../output.ts";

type Get = (caller: Caller, id: string) => Promise<unknown>;

interface Table {
  readonly search: string;
  /** Search parameters that return whole records. */
  readonly whole?: Members;
  /** Reads one record by its id; absent when there is no such operation. */
  readonly get?: Get;
}

const one =
  (operation: string, member: string): Get =>
  async (caller, id) =>
    (await caller.call(operation, { id }))[member];

const TABLES: ReadonlyMap<string, Table> = new Map<string, Table>([
  ["jobs", { search: "search_jobs", whole: { verbose: true }, get: one("get_job", "job") }],
  ["alerts", { search: "search_alerts", get: getInvocation }],
  ["servers", { search: "search_servers", get: one("get_server", "server") }],
  ["snapshots", { search: "search_snapshots", whole: { verbose: true }, get: one("get_snapshot", "snapshot") }],
  ["activity", { search: "search_activity" }],
  ["tickets", { search: "search_tickets", get: one("get_ticket", "ticket") }],
]);

async function getInvocation(caller: Caller, id: string): Promise<unknown> {
  const { alerts } = await caller.call<{ alerts: readonly Members[] }>("get_alert_invocations", { ids: [id] });
  const [found = {}] = alerts;
  if (found["err"] !== undefined) throw new CommandError(`There is no alert invocation ${shown(id)}`);
  return found;
}

function tableOf(name: string): Table {
  const table = TABLES.get(name);
  if (!table) throw usageError(`There is no table ${shown(name)}: there are ${[...TABLES.keys()].join(", ")}`);
  return table;
}

/** `db get TABLE ID` */
export async function getRecord({ terminal, words: [name = "", id = ""] }: Given): Promise<void> {
  const { get } = tableOf(name);
  if (!get) throw usageError(`Rows of ${name} are not read by their id: signalbox db search ${name} finds them`);
  await printJson(terminal, await withCaller(terminal, (caller) => get(caller, id)));
}

/** Records per page; the engine ends a page earlier when they are large. */
const PAGE = 200;
const USUAL = 50;

/** `db search TABLE [QUERY]` */
export async function searchRecords({ terminal, words: [name = "", query = "*"], options }: Given): Promise<void> {
  const table = tableOf(name);
  const most = limitOf(options["limit"]);
  const select = membersOf(options["select"]);
  await withCaller(terminal, async (caller) => {
    for (let offset = 0; offset < most; ) {
      const limit = Math.min(PAGE, most - offset);
      const { rows } = await caller.call<Page>(table.search, { ...table.whole, query, offset, limit });
      if (rows.length === 0) return;
      for (const row of rows) await print(terminal, `${JSON.stringify(select(row))}\n`);
      offset += rows.length;
    }
  });
}

interface Page {
  readonly rows: readonly Members[];
}

function limitOf(given: unknown): number {
  if (given === undefined) return USUAL;
  if (given === "all") return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,14}$/.test(String(given))) throw usageError("--limit takes a whole number from 1 on, or all");
  return Number(given);
}

function membersOf(given: unknown): (row: Members) => unknown {
  if (given === undefined) return (row) => row;
  const names = String(given).split(",");
  if (names.includes("")) throw usageError("--select takes names of members with commas between them");
  return (row) => Object.fromEntries(names.map((name) => [name, memberAt(row, name.split("."))]));
}

/** Null for a missing member, so that each line has the same members. */
function memberAt(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value ?? null;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, first)) return null;
  return memberAt((value as Members)[first], rest);
}
