import fc from "fast-check";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "../../test/fixtures.ts";
import { createLeases, type Run, type Tenure } from "./lease.ts";

const { database, connect, openStorage, closeLater } = useDatabase();
const leases = createLeases("signalbox", { lockWaitMs: 20 });
const OFFICE = "leader";
const NODES = ["n1", "n2"] as const;
type Node = (typeof NODES)[number];

/** A clock that the test moves, for the statements of the product: its function shadows PostgreSQL's own. */
const CLOCK = `create schema if not exists clock;
  create table if not exists clock.now (at timestamptz not null);
  create table if not exists clock.effects (seq bigserial, term bigint not null, node text not null);
  create or replace function clock.clock_timestamp() returns timestamptz language sql stable as 'select at from clock.now'`;

beforeAll(async () => {
  const admin = new pg.Client({ connectionString: database.connectionString });
  await admin.connect();
  await admin.query(CLOCK);
  return () => admin.end();
});

const runOn =
  (client: pg.Client): Run =>
  async (sql, parameters = []) => {
    const { rows, rowCount } = await client.query(sql, parameters as unknown[]);
    return { rows: rows ?? [], changes: rowCount ?? 0 };
  };

interface Player {
  /** Connection that stands for the office and renews the lease. */
  readonly desk: Run;
  /** Connection for its transactions. */
  readonly worker: Run;
  /** The term that it believes in: it hears of the end of a term late, or never. */
  tenure: Tenure | undefined;
  /** The term that it believed in before; some work of that term has stalled. */
  before: Tenure | undefined;
  inside: Tenure | undefined;
}

async function openPlayer(): Promise<Player> {
  const [desk, worker] = [await connect(), await connect()];
  for (const client of [desk, worker]) await client.query("set search_path = clock, pg_catalog");
  return { desk: runOn(desk), worker: runOn(worker), tenure: undefined, before: undefined, inside: undefined };
}

type Step =
  | { readonly kind: "pass"; readonly sec: number }
  | { readonly kind: "forget" | "remember" }
  | { readonly kind: Act; readonly node: Node };
/** "late" begins a transaction in the player's previous term. */
type Act = "take" | "steal" | "renew" | "resign" | "begin" | "late" | "commit";

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("pass" as const), sec: fc.constantFrom(0, 1, 4, 11) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("forget" as const, "remember" as const) }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(["take", "take", "steal", "renew", "resign", "begin", "late", "commit"] as const)),
      node: fc.constantFrom(...NODES),
    }),
  },
);

/** The world in which the steps happen. */
async function openWorld() {
  await openStorage();
  const admin = await connect();
  const players = new Map<Node, Player>();
  for (const node of NODES) players.set(node, await openPlayer());
  let kept: { node: string; term: string; expires: string; last: string } | undefined;
  return {
    admin,
    players,
    async reset() {
      for (const player of players.values()) {
        if (player.inside) await player.worker("rollback");
        Object.assign(player, { tenure: undefined, before: undefined, inside: undefined });
      }
      kept = undefined;
      await admin.query("delete from signalbox.sb_offices; delete from clock.effects; delete from clock.now");
      await admin.query("insert into clock.now values ('2026-01-01')");
    },
    pass: (sec: number) => admin.query("update clock.now set at = at + $1 * interval '1 s'", [sec]),
    /**
     * Simulates a failover: a promoted replica lacks the last commits. Time has passed since, and no player is inside a
     * transaction.
     */
    async fail(how: "forget" | "remember") {
      if (how === "remember") kept = (await admin.query(REMEMBERED)).rows[0];
      if (how === "remember" || !kept || [...players.values()].some(({ inside }) => inside)) return;
      const sql = "update signalbox.sb_offices set node = $1, term = $2, expires = $3::timestamptz";
      await admin.query(sql, [kept.node, kept.term, kept.expires]);
      await admin.query("delete from clock.effects where seq > $1", [kept.last]);
      await admin.query("update clock.now set at = at + interval '1 s'");
    },
  };
}

const REMEMBERED = `select node, term, expires::text, (select coalesce(max(seq), 0) from clock.effects) as last
  from signalbox.sb_offices`;

type World = Awaited<ReturnType<typeof openWorld>>;

async function play({ players }: World, node: Node, kind: Act) {
  const player = players.get(node) as Player;
  const { desk, worker, tenure } = player;
  if (kind === "take" || kind === "steal") {
    const lease = await leases.look(desk, OFFICE);
    const orphan = kind === "steal" && lease ? { orphan: lease } : {};
    const term = await leases.take(desk, { office: OFFICE, node, ...orphan }).catch(expectLockTimeout);
    if (term !== undefined) Object.assign(player, { before: tenure, tenure: { office: OFFICE, node, term } });
    return;
  }
  if (kind === "commit" && player.inside) {
    await worker("insert into clock.effects (term, node) values ($1, $2)", [player.inside.term, node]);
    await worker("commit");
    player.inside = undefined;
  }
  if (tenure && kind === "renew") await leases.renew(desk, tenure);
  if (tenure && kind === "resign") await leases.resign(desk, tenure);
  const begun = kind === "late" ? player.before : kind === "begin" ? tenure : undefined;
  if (!begun || player.inside) return;
  await worker("begin");
  if (await leases.fence(worker, begun)) player.inside = begun;
  else await worker("rollback");
}

/** A player is still inside a transaction of the previous term. */
function expectLockTimeout(error: unknown): undefined {
  expect((error as { code?: string }).code).toBe("55P03");
}

test("for any history of elections, stalls and losses, effects come term by term, one node each", async () => {
  const world = await openWorld();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), async (steps) => {
      await world.reset();
      for (const each of steps) {
        if ("node" in each) await play(world, each.node, each.kind);
        else if ("sec" in each) await world.pass(each.sec);
        else await world.fail(each.kind);
        const inside = [...world.players.values()].flatMap((player) => player.inside ?? []);
        expect(new Set(inside.map(({ term }) => term)).size).toBeLessThanOrEqual(1);
      }
      const { rows } = await world.admin.query("select term::float8 as term, node from clock.effects order by seq");
      const terms = rows.map(({ term }) => term);
      expect(terms).toEqual(terms.toSorted((a, b) => a - b));
      expect(new Set(rows.map(({ term, node }) => `${term} ${node}`)).size).toBe(new Set(terms).size);
    }),
    // Shrinking a history of real transactions takes longer than reading it.
    { numRuns: Number(process.env["SIGNALBOX_HISTORIES"] ?? 30), endOnFailure: true },
  );
});

test("a node that lost its office cannot renew the term of its successor", async () => {
  const world = await openWorld();
  await world.reset();
  await play(world, "n1", "take");
  await world.pass(11);
  await play(world, "n2", "take");
  const [before, after] = [world.players.get("n1")?.tenure, world.players.get("n2")?.tenure];
  if (!before || !after) throw new Error("Nobody was elected");
  expect(after.term).toBeGreaterThan(before.term);
  const run = runOn(await connect());
  expect(await leases.renew(run, before)).toBe(false);
  await leases.resign(run, before);
  expect(await leases.renew(run, after)).toBe(true);
});

test("a running lease is not taken, even as an orphan if it was renewed since", async () => {
  const run = runOn(await connect());
  await openStorage();
  const term = await leases.take(run, { office: OFFICE, node: "n1" });
  if (term === undefined) throw new Error("Nobody was elected");
  expect(await leases.take(run, { office: OFFICE, node: "n2" })).toBeUndefined();
  const orphan = await leases.look(run, OFFICE);
  if (!orphan) throw new Error("There is no lease");
  await leases.renew(run, { office: OFFICE, node: "n1", term });
  expect(await leases.take(run, { office: OFFICE, node: "n2", orphan })).toBeUndefined();
  const renewed = await leases.look(run, OFFICE);
  expect(await leases.take(run, { office: OFFICE, node: "n2", ...(renewed && { orphan: renewed }) })).toBeGreaterThan(
    term,
  );
});

test("during a restore, whose tables get their keys last, nobody is elected and nothing is stored", async () => {
  await openStorage();
  const client = await connect();
  await client.query("alter table signalbox.sb_offices drop constraint sb_offices_pkey");
  closeLater(() =>
    client.query("truncate signalbox.sb_offices; alter table signalbox.sb_offices add primary key (office)"),
  );
  await expect(leases.take(runOn(client), { office: OFFICE, node: "n1" })).rejects.toThrow("no unique");
  expect((await client.query("select from signalbox.sb_offices")).rowCount).toBe(0);
});
