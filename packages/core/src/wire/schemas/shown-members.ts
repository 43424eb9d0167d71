import * as z from "zod";
import { knowingLater, knownOf } from "./known-members.ts";
import { madeLater } from "./made-later.ts";

/** A member whose type is for editors and descriptions of the API: a value of any kind gets through. */
export type Shown<Input> = z.ZodOptional<z.ZodType<unknown, Input>>;

const shapes = new WeakMap<z.ZodType, () => z.ZodType>();

/**
 * Describes a member by a schema but takes any value: faults are found later, by rules that answer in the record's own
 * words.
 *
 * @example
 * z.looseObject({ id: Id, params: shown(z.record(z.string(), z.unknown())) });
 */
export const shown = <Schema extends z.ZodType>(schema: Schema): Shown<z.input<Schema>> => shownLater(() => schema);

/** Like `shown`, for a member that no record is without: where nothing was sent for it, it is missing. */
export function shownRequired<Schema extends z.ZodType>(schema: Schema): z.ZodType<unknown, z.input<Schema>> {
  const member = z.unknown().refine((value) => value !== undefined && value !== null);
  shapes.set(member, () => schema);
  return member as never;
}

const ANYTHING = z.unknown();
const optionalLater = madeLater(z.ZodOptional as never, ANYTHING.optional());

function shownLater<Schema extends z.ZodType>(schema: () => Schema): Shown<z.input<Schema>> {
  const member = optionalLater(() => ({ type: "optional", innerType: ANYTHING }));
  shapes.set(member, schema);
  return knowingLater(member, () => knownOf(schema())) as Shown<z.input<Schema>>;
}

/** Members of a record, each `shown`. */
export function shownMembers<Shape extends z.ZodRawShape, const Names extends readonly (keyof Shape & string)[]>(
  record: z.ZodObject<Shape>,
  names: Names,
): ShownMembers<Shape, Names[number]> {
  const members = names.map((name) => [name, shownLater(() => record.shape[name] as unknown as z.ZodType)] as const);
  return Object.fromEntries(members) as ShownMembers<Shape, Names[number]>;
}

type ShownMembers<Shape extends z.ZodRawShape, Name extends keyof Shape> = {
  [Member in Name]: Shown<z.input<Shape[Member]>>;
};

/** A record in an answer: typed and described, and let out as it is stored, for imported ones may hold other values. */
export function shownRecord<Shape extends z.ZodObject>(shape: Shape): z.ZodType<z.output<Shape>, z.input<Shape>> {
  const record = z.looseObject({});
  shapes.set(record, () => shape);
  return record as never;
}

/** The schema shown in place of one that was made by `shown` or `shownRecord`; otherwise undefined. */
export const shownShapeOf = (schema: z.ZodType): z.ZodType | undefined => shapes.get(schema)?.();
