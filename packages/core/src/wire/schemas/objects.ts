import * as z from "zod";
import { madeLater } from "./made-later.ts";

type Shape = z.core.$ZodLooseShape;
type Schema<S extends Shape, Config extends z.core.$ZodObjectConfig> = z.ZodObject<z.core.util.Writeable<S>, Config>;

/**
 * Like `z.object`, with members that are created at the first access: all operations together have 6,000 schemas, which would
 * cost each process that loads the engine 50 ms and 5 MB, and most processes only call a few operations.
 *
 * @example
 * object(() => ({ id: Id, title: z.string() }));
 */
export const object = <S extends Shape>(shape: () => S): Schema<S, z.core.$strip> => madeOf(shape, undefined);

const ANYTHING = z.unknown();
/** Like `z.looseObject`, with members created at the first access. */
export const looseObject = <S extends Shape>(shape: () => S): Schema<S, z.core.$loose> => madeOf(shape, ANYTHING);

const objectLater = madeLater(z.ZodObject as never, z.object({}));

function madeOf<S extends Shape, Config extends z.core.$ZodObjectConfig>(
  make: () => S,
  catchall: z.ZodType | undefined,
): Schema<S, Config> {
  let made: S | undefined;
  return objectLater(() => ({
    type: "object",
    get shape() {
      made ??= make();
      // While `shape` is an accessor, Zod expects a cycle and keeps records about each value that it parses.
      Object.defineProperty(this, "shape", { value: made, enumerable: true });
      return made;
    },
    ...(catchall ? { catchall } : {}),
  })) as never;
}
