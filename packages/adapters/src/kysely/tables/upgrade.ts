import type { Logger } from "@signalbox/core/adapter";
import type { AnyCollection } from "@signalbox/core/storage";
import { sql } from "kysely";
import { hasWordIndex } from "../indexes/index-values.ts";
import { kyselyOver, tableRef } from "../statements.ts";
import {
  createIndexes,
  createTables,
  dropIndexes,
  inTransaction,
  type On,
  type Upgrade,
  wordIndexOf,
} from "./create.ts";
import { declarationOf, noDeclaration, type StoredDeclaration } from "./declaration.ts";
import { dropStaleTerms, reindex } from "./reindex.ts";

/**
 * Upgrades the tables of all collections to their declarations. Missing tables are created in one transaction; existing tables
 * are changed one by one. If no declaration has changed, only the fingerprints are read.
 */
export async function upgradeCollections(on: On, definitions: readonly AnyCollection[], log: Logger): Promise<void> {
  const known = await readFingerprints(on);
  const changed = definitions.filter((definition) => known.get(definition.name) !== fingerprintOf(definition));
  if (changed.length === 0) return;
  const existing = await readColumns(on);
  const upgrades = changed.map((definition) => upgradeOf(on, definition, { known, existing }));
  const missing = upgrades.filter(({ present }) => !present);
  await makeCollections(on, missing);
  if (missing.length > 0)
    log.info({ collections: missing.map(({ definition }) => definition.name) }, "Tables of collections were made");
  const nodes = await livingNodes(on);
  for (const upgrade of upgrades.filter(({ present }) => present)) {
    const collection = upgrade.definition.name;
    const isAnew = await upgradeExisting(upgrade, nodes);
    if (isAnew && known.has(collection)) log.info({ collection }, "The declaration changed: records were indexed anew");
  }
}

/** The other nodes that write to this database; this one has not started yet. */
async function livingNodes({ dialect, session }: On): Promise<readonly string[]> {
  if (!dialect.livingNodes) return [];
  const { rows } = await sql<{ id: string }>`${dialect.livingNodes}`.execute(kyselyOver(dialect, session));
  return rows.map(({ id }) => id);
}

/** Returns true if all records were indexed. */
async function upgradeExisting(upgrade: Upgrade, nodes: readonly string[]): Promise<boolean> {
  const { beside } = upgrade.before;
  if (beside && isDeclared(upgrade)) {
    if (beside.some((node) => nodes.includes(node))) return false;
    await reindex(upgrade);
    await dropStaleTerms(upgrade);
    await inTransaction(upgrade, () => keepFingerprints(upgrade, [upgrade]));
    return true;
  }
  const lost = lostAlone(upgrade);
  if (lost) await dropLost(upgrade, lost);
  else await upgradeCollection(upgrade, nodes);
  return !lost;
}

const isDeclared = ({ before: { beside: _beside, ...before }, after }: Upgrade): boolean =>
  JSON.stringify(before) === JSON.stringify(after);

/** Columns that are no longer declared, if nothing else has changed: no record must be indexed again. */
function lostAlone({ before, after, text }: Upgrade): readonly string[] | undefined {
  const isKept = (name: string): boolean => Object.hasOwn(after.columns, name);
  const columns = Object.fromEntries(Object.entries(before.columns).filter(([name]) => isKept(name)));
  const isAll = !text && JSON.stringify({ ...before, columns }) === JSON.stringify(after);
  return isAll ? Object.keys(before.columns).filter((name) => !isKept(name)) : undefined;
}

const dropLost = (upgrade: Upgrade, lost: readonly string[]): Promise<void> =>
  inTransaction(upgrade, async () => {
    for (const column of lost) await dropIndexes(upgrade, column);
    await keepFingerprints(upgrade, [upgrade]);
  });

const fingerprintOf = (definition: AnyCollection): string => JSON.stringify(declarationOf(definition));

/** The fingerprints of all collections that were ever opened here. */
async function readFingerprints({ dialect, session }: On): Promise<ReadonlyMap<string, string>> {
  const db = kyselyOver(dialect, session);
  const { rows } = await sql<{ name: string; fingerprint: string }>`
    select name, fingerprint from ${tableRef(dialect, "sb_collections")}`.execute(db);
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

/** Present database columns by table. */
type ExistingColumns = ReadonlyMap<string, ReadonlySet<string>>;

async function readColumns({ dialect, session }: On): Promise<ExistingColumns> {
  const tables = await kyselyOver(dialect, session).introspection.getTables();
  const own = tables.filter(
    ({ schema, name }) => name.startsWith("sb_") && (!dialect.schema || schema === dialect.schema),
  );
  return new Map(own.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]));
}

function upgradeOf(
  on: On,
  definition: AnyCollection,
  { known, existing }: { known: ReadonlyMap<string, string>; existing: ExistingColumns },
): Upgrade {
  const fingerprint = known.get(definition.name);
  return {
    ...on,
    definition,
    db: kyselyOver(on.dialect, on.session),
    before: fingerprint === undefined ? noDeclaration : JSON.parse(fingerprint),
    after: declarationOf(definition),
    text: hasWordIndex(definition) ? wordIndexOf(definition) : undefined,
    present: existing.get(`sb_${definition.name}`),
  };
}

/** Creates all tables in one transaction: separate commits would take most of the time of an engine's first start. */
async function makeCollections(on: On, upgrades: readonly Upgrade[]): Promise<void> {
  if (upgrades.length === 0) return;
  await inTransaction(on, async () => {
    for (const upgrade of upgrades) {
      await createTables(upgrade);
      await createIndexes(upgrade);
    }
    await keepFingerprints(on, upgrades);
  });
}

/**
 * Adds missing columns and indexes, and indexes every record again. Columns that are no longer declared stay. The fingerprint is
 * written last, so that everything is repeated after a crash.
 */
async function upgradeCollection(upgrade: Upgrade, nodes: readonly string[]): Promise<void> {
  await inTransaction(upgrade, () => createTables(upgrade));
  await reindex(upgrade);
  await inTransaction(upgrade, async () => {
    await createIndexes(upgrade);
    await keepFingerprints(upgrade, [upgrade], nodes);
  });
}

async function keepFingerprints(
  { dialect, session }: On,
  upgrades: readonly Upgrade[],
  beside: readonly string[] = [],
): Promise<void> {
  const rows = upgrades.map(({ definition, after }) => {
    const stored: StoredDeclaration = beside.length > 0 ? { ...after, beside } : after;
    return sql`(${definition.name}, ${JSON.stringify(stored)})`;
  });
  await sql`insert into ${tableRef(dialect, "sb_collections")} (name, fingerprint) values ${sql.join(rows)}
    on conflict (name) do update set fingerprint = excluded.fingerprint`.execute(kyselyOver(dialect, session));
}
