import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type ByteReader, type ByteWriter, byteReader, byteWriter } from "./bytes.ts";
import { columnWriter, readColumn } from "./columns.ts";
import type { PackedPoint, ShapeOf } from "./rows.ts";
import type { Shape } from "./shapes.ts";

/** Buckets that share a chunk: an hour of minutes. */
export const CHUNK = 60;

const PLAIN = 1;
const DEFLATED = 2;

/** Encodes points of one chunk of one series, sorted by bucket, losslessly and column by column. */
export function encodeChunk(points: readonly PackedPoint[]): Buffer {
  const groups = new Map<number, PackedPoint[]>();
  for (const point of points) {
    const group = groups.get(point.shape.id);
    if (group) group.push(point);
    else groups.set(point.shape.id, [point]);
  }
  const out = byteWriter(4096);
  out.varint(groups.size);
  for (const group of groups.values()) writeGroup(out, group);
  const body = out.view();
  const packed = deflateRawSync(body, { level: 1, chunkSize: 4096 });
  return packed.length < body.length
    ? Buffer.concat([Buffer.of(DEFLATED), packed])
    : Buffer.concat([Buffer.of(PLAIN), body]);
}

/** The points of a chunk, oldest first. Throws for bytes that are not a valid chunk. */
export async function decodeChunk(bytes: Uint8Array, slot: number, shapeOf: ShapeOf): Promise<PackedPoint[]> {
  const [version] = bytes;
  if (version !== PLAIN && version !== DEFLATED)
    throw new RangeError(`The monitoring history has a chunk of version ${version}`);
  const body = bytes.subarray(1);
  const input = byteReader(version === DEFLATED ? inflateRawSync(body) : body);
  const points: PackedPoint[] = [];
  const groups = input.varint();
  for (let group = 0; group < groups; group++) readGroup(input, await shapeOf(input.varint()), slot * CHUNK, points);
  return groups === 1 ? points : points.sort((a, b) => a.bucket - b.bucket);
}

function writeGroup(out: ByteWriter, group: readonly PackedPoint[]): void {
  const [first] = group;
  if (!first) return;
  const { shape, bucket } = first;
  const column = columnWriter(group.length);
  const write = (pick: (point: PackedPoint) => number): void => {
    for (const [place, point] of group.entries()) column.values[place] = pick(point);
    column.write(out);
  };
  const start = Math.floor(bucket / CHUNK) * CHUNK;
  const interval = intervalOf(group);
  out.varint(shape.id);
  out.varint(group.length);
  out.varint(interval);
  write((point) => point.bucket - start);
  write((point) => point.date - point.bucket * interval);
  write((point) => point.count);
  writeExtras(out, group);
  const rows = group.map(({ values }) => values);
  for (let place = 0; place < shape.row.length; place++) {
    for (let row = 0; row < rows.length; row++) column.values[row] = (rows[row] as readonly number[])[place] as number;
    column.write(out);
  }
}

function readGroup(input: ByteReader, shape: Shape, start: number, points: PackedPoint[]): void {
  const length = input.varint();
  const interval = input.varint();
  const buckets = readColumn(input, length);
  const rests = readColumn(input, length);
  const counts = readColumn(input, length);
  const extras = readExtras(input);
  const columns = shape.row.map(() => readColumn(input, length));
  for (let place = 0; place < length; place++) {
    const values = shape.row.slice();
    for (let column = 0; column < values.length; column++)
      values[column] = (columns[column] as Float64Array)[place] as number;
    const bucket = start + (buckets[place] ?? 0);
    const date = bucket * interval + (rests[place] ?? 0);
    points.push({ shape, bucket, date, count: counts[place] ?? 0, extras: extras.get(place) ?? "", values });
  }
}

/** Seconds per bucket, if all dates follow from it; 0 = dates are written in full. */
function intervalOf(group: readonly PackedPoint[]): number {
  const { date = 0, bucket = 0 } = group[0] ?? {};
  const interval = Math.round(date / bucket);
  if (!(interval > 0 && interval <= 0xffff_ffff)) return 0;
  const isExact = (point: PackedPoint): boolean => {
    const start = point.bucket * interval;
    return Object.is(start + (point.date - start), point.date);
  };
  return group.every(isExact) ? interval : 0;
}

function writeExtras(out: ByteWriter, group: readonly PackedPoint[]): void {
  out.varint(group.filter(({ extras }) => extras !== "").length);
  for (const [place, { extras }] of group.entries()) {
    if (extras === "") continue;
    out.varint(place);
    out.text(extras);
  }
}

function readExtras(input: ByteReader): Map<number, string> {
  const extras = new Map<number, string>();
  for (let left = input.varint(); left > 0; left--) extras.set(input.varint(), input.text());
  return extras;
}
