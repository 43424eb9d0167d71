import { createHash } from "node:crypto";
import type { TimelinePoint } from "@signalbox/core/storage";
import { type Kysely, sql } from "kysely";
import type { SqlDialect, SqlSession, Tables } from "../../dialect.ts";
import { prepare, slot, tableRef } from "../../statements.ts";

/** The monitors of a point, in order. Stored once and referenced by every point of the same shape. */
export interface Shape {
  readonly id: number;
  readonly totals: Members;
  /** Absent when the points have no such member. */
  readonly deltas?: Members;
  /** A list with one fraction for each number of a point: a copy of it can hold any numbers without being rebuilt. */
  readonly row: readonly number[];
}

export interface Members {
  readonly keys: readonly string[];
  /** All members set to zero: filling a copy is much faster than adding members. */
  readonly blank: Readonly<Record<string, number>>;
}

/** Shapes as one transaction sees them. */
export interface Shapes {
  /** The shape of a point; stores a new one. */
  of(point: TimelinePoint): Shape | Promise<Shape>;
  /** Rejects when there is no such shape. */
  get(id: number): Shape | Promise<Shape>;
}

export interface ShapeRegistry {
  /** Omit `onCommit` if the commit is not visible or nothing is written. */
  bind(session: SqlSession, onCommit?: (listener: () => void) => void): Shapes;
}

/** Bytes of a shape's id. */
const ID_BYTES = 6;
/** Shapes cached in memory; all are evicted when there are more. */
const KEPT = 2000;
/** Recent shapes that are compared one by one before a shape is looked up by its text. */
const RECENT = 4;

const hashOf = (content: string, attempt: number): number =>
  createHash("sha256")
    .update(attempt === 0 ? content : `${attempt} ${content}`)
    .digest()
    .readUIntBE(0, ID_BYTES);

const membersOf = (keys: readonly string[]): Members => ({
  keys,
  blank: Object.fromEntries(keys.map((key) => [key, 0])),
});

function parseShape(id: number, content: string): Shape {
  const [totals, deltas] = JSON.parse(content) as [string[], string[]?];
  const row = Array.from({ length: totals.length + (deltas?.length ?? 0) }, () => 0.5);
  return { id, totals: membersOf(totals), ...(deltas ? { deltas: membersOf(deltas) } : {}), row };
}

/** Shapes as they are stored, each under the hash of its content. */
function compileStored(db: Kysely<Tables>, dialect: SqlDialect, hash: typeof hashOf) {
  const table = tableRef(dialect, "sb_history_shapes");
  const insert = prepare(
    db,
    sql`insert into ${table} as known (id, content) values (${slot("id")}, ${slot("content")})
      on conflict (id) do update set content = known.content returning content`,
  );
  const select = prepare(db, sql`select content from ${table} where id = ${slot("id")}`);
  const read = async (session: SqlSession, id: number): Promise<Shape> => {
    const [row] = (await select(session, { id })).rows;
    if (!row) throw new Error(`The monitoring history names the shape ${id}, which is not stored`);
    return parseShape(id, row["content"] as string);
  };
  const store = async (session: SqlSession, content: string): Promise<Shape> => {
    for (let attempt = 0; ; attempt++) {
      const id = hash(content, attempt);
      const [row] = (await insert(session, { id, content })).rows;
      if (row?.["content"] === content) return parseShape(id, content);
    }
  };
  return { read, store };
}

/**
 * The id of a shape is the hash of its content, so it is the same in every process and after a rollback. A shape counts as stored
 * only after a visible commit.
 */
export function compileShapes(db: Kysely<Tables>, dialect: SqlDialect, hash = hashOf): ShapeRegistry {
  const { read, store } = compileStored(db, dialect, hash);
  const stored = createStored();
  const byId = createKept<number>();
  const load = async (session: SqlSession, id: number): Promise<Shape> => byId.keep(id, await read(session, id));
  return {
    bind(session, onCommit) {
      const own = new Map<string, Shape>();
      const storeOwn = async (content: string): Promise<Shape> => {
        const shape = await store(session, content);
        own.set(content, shape);
        onCommit?.(() => stored.keep(content, shape));
        return shape;
      };
      return {
        of: (point) => {
          const alike = stored.like(point);
          if (alike) return alike;
          const content = contentOf(point);
          return stored.find(content) ?? own.get(content) ?? storeOwn(content);
        },
        get: (id) => byId.find(id) ?? load(session, id),
      };
    },
  };
}

interface Kept<K> {
  find(key: K): Shape | undefined;
  keep(key: K, shape: Shape): Shape;
}

function createKept<K>(): Kept<K> {
  const shapes = new Map<K, Shape>();
  return {
    find: (key) => shapes.get(key),
    keep(key, shape) {
      if (shapes.size >= KEPT) shapes.clear();
      shapes.set(key, shape);
      return shape;
    },
  };
}

/** Shapes known to be stored; the most recent ones are found without making their text. */
function createStored(): Kept<string> & { like(point: TimelinePoint): Shape | undefined } {
  const kept = createKept<string>();
  let recent: readonly Shape[] = [];
  const use = (shape: Shape): Shape => {
    recent = [shape, ...recent.filter(({ id }) => id !== shape.id)].slice(0, RECENT);
    return shape;
  };
  return {
    like: (point) => recent.find((shape) => fits(shape, point)),
    find: (content) => {
      const known = kept.find(content);
      return known && use(known);
    },
    keep: (content, shape) => use(kept.keep(content, shape)),
  };
}

const contentOf = ({ totals, deltas }: TimelinePoint): string =>
  JSON.stringify(deltas ? [Object.keys(totals), Object.keys(deltas)] : [Object.keys(totals)]);

const fits = (shape: Shape, { totals, deltas }: TimelinePoint): boolean =>
  hasKeys(totals, shape.totals) && (deltas ? hasKeys(deltas, shape.deltas) : shape.deltas === undefined);

function hasKeys(record: object, members: Members | undefined): boolean {
  let place = 0;
  if (!members) return false;
  for (const key in record) if (members.keys[place++] !== key) return false;
  return place === members.keys.length;
}

/** A record of these members, with the values from index `start`. */
export function recordOf({ keys, blank }: Members, values: readonly number[], start: number): Record<string, number> {
  const record: Record<string, number> = { ...blank };
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place] as string;
    // A plain assignment would set the prototype.
    if (key === "__proto__") Object.defineProperty(record, key, { value: values[start + place] });
    else record[key] = values[start + place] as number;
  }
  return record;
}
