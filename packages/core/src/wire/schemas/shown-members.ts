import * as z from "zod";
import { knowingLater, knownOf } from "./known-members.ts";
import { madeLater } from "./made-later.ts";

/** A member whose type is only for editors and descriptions of the API: any value is accepted. */
export type Shown<Input> = z.ZodOptional<z.ZodType<unknown, Input>>;

const shapes = new WeakMap<z.ZodType, () => z.ZodType>();

/**
 * Describes a member by a schema but accepts any value: rules find faults later and report them in the record's own words.
 *
 * @example
 * z.looseObject({ id: Id, params: shown(z.record(z.string(), z.unknown())) });
 */
export const shown = <Schema extends z.ZodType>(schema: Schema): Shown<z.input<Schema>> => shownLater(() => schema);

/** Like `shown`, for a member that every record needs: a value that is undefined or null is refused. */
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

/** A record in an answer: typed and described, but sent as stored, because imported records may hold other values. */
export function shownRecord<Shape extends z.ZodObject>(shape: Shape): z.ZodType<z.output<Shape>, z.input<Shape>> {
  const record = z.looseObject({});
  shapes.set(record, () => shape);
  return record as never;
}

/** The schema that was passed to `shown` or `shownRecord`; undefined for other schemas. */
export const shownShapeOf = (schema: z.ZodType): z.ZodType | undefined => shapes.get(schema)?.();
