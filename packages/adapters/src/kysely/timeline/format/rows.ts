import type { TimelinePoint } from "@signalbox/core/storage";
import type { SqlRow } from "../../dialect.ts";
import { recordOf, type Shape } from "./shapes.ts";

/** A point whose members have no names; its shape has them. */
export interface PackedPoint {
  readonly shape: Shape;
  readonly bucket: number;
  readonly date: number;
  readonly count: number;
  /** Rare members as JSON text; empty for most points. */
  readonly extras: string;
  /** Totals, then deltas, in the order of the shape. */
  readonly values: readonly number[];
}

export type ShapeOf = (id: number) => Shape | Promise<Shape>;

export function unpackPoint({ shape, bucket, date, count, extras, values }: PackedPoint): TimelinePoint {
  const totals = recordOf(shape.totals, values, 0);
  const point = shape.deltas
    ? { epoch_div: bucket, date, count, totals, deltas: recordOf(shape.deltas, values, shape.totals.keys.length) }
    : { epoch_div: bucket, date, count, totals };
  return extras === "" ? point : { ...point, ...(JSON.parse(extras) as Pick<TimelinePoint, "alerts" | "counts">) };
}

/** A row of the journal consists of a head of fixed length, the extras, and plain numbers; it is packed into a chunk later. */
const VERSION = 1;
const SHAPE_AT = 1;
const SHAPE_BYTES = 6;
const DATE_AT = 7;
const COUNT_AT = 15;
const EXTRAS_AT = 23;
const HEAD = 27;

/** The shape must describe the point: values are stored in the order of its members. */
export function encodeRow(shape: Shape, { date, count, totals, deltas, alerts, counts }: TimelinePoint): Buffer {
  const extras = alerts || counts ? Buffer.from(JSON.stringify({ alerts, counts })) : undefined;
  const length = extras?.length ?? 0;
  const row = Buffer.allocUnsafe(HEAD + length + 8 * shape.row.length);
  row[0] = VERSION;
  row.writeUIntBE(shape.id, SHAPE_AT, SHAPE_BYTES);
  row.writeDoubleLE(date, DATE_AT);
  row.writeDoubleLE(count, COUNT_AT);
  row.writeUInt32LE(length, EXTRAS_AT);
  extras?.copy(row, HEAD);
  let end = HEAD + length;
  for (const id in totals) end = row.writeDoubleLE(totals[id] as number, end);
  if (deltas) for (const id in deltas) end = row.writeDoubleLE(deltas[id] as number, end);
  return row;
}

/** Throws `RangeError` for bytes that are not a valid row. */
function decodeRow(bytes: Uint8Array, bucket: number, shapeOf: ShapeOf): PackedPoint | Promise<PackedPoint> {
  const row = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (row[0] !== VERSION) throw new RangeError(`The monitoring history has a row of version ${row[0]}`);
  const rest = (shape: Shape): PackedPoint => {
    const date = row.readDoubleLE(DATE_AT);
    const count = row.readDoubleLE(COUNT_AT);
    const start = HEAD + row.readUInt32LE(EXTRAS_AT);
    const extras = start === HEAD ? "" : row.toString("utf8", HEAD, start);
    const values = shape.row.slice();
    for (let place = 0; place < values.length; place++) values[place] = row.readDoubleLE(start + place * 8);
    return { shape, bucket, date, count, extras, values };
  };
  const known = shapeOf(row.readUIntBE(SHAPE_AT, SHAPE_BYTES));
  return known instanceof Promise ? known.then(rest) : rest(known);
}

/** The bytes of a value: some sessions return them directly, others as PostgreSQL's hexadecimal text. */
export const bytesOf = (value: unknown): Uint8Array =>
  typeof value === "string" ? Buffer.from(value.slice(2), "hex") : (value as Uint8Array);

/** Decodes rows of the journal one after another, because a shape may have to be read on the same connection. */
export async function decodeRows(rows: readonly SqlRow[], shapeOf: ShapeOf): Promise<PackedPoint[]> {
  const points: PackedPoint[] = [];
  for (const row of rows) {
    const decoded = decodeRow(bytesOf(row["payload"]), Number(row["bucket"]), shapeOf);
    points.push(decoded instanceof Promise ? await decoded : decoded);
  }
  return points;
}
