import type * as z from "zod";

type DefinitionOf<S extends z.ZodType> = S["_zod"]["def"];

/** A class of Zod schemas, such as `z.ZodObject`. */
interface Kind<S extends z.ZodType> {
  new (definition: DefinitionOf<S>): S;
  init(schema: S, definition: DefinitionOf<S>): void;
}

/**
 * Creates schemas of one kind that Zod initialises at the first access: until then each takes two words instead of 1.7 KB, and a
 * process uses few of the schemas of all operations. `example` is a schema of that kind: creating it made Zod define the kind's
 * methods. If the installed Zod initialises schemas in another way than our locked release, they are created at once.
 */
export function madeLater<S extends z.ZodType>(kind: Kind<S>, example: S): (define: () => DefinitionOf<S>) => S {
  class Later {
    readonly #define: () => DefinitionOf<S>;
    constructor(define: () => DefinitionOf<S>) {
      this.#define = define;
    }
    get _zod(): z.core.$ZodTypeInternals {
      const definition = this.#define();
      // Zod considers a schema with `_zod` initialised, and sets the other two properties itself.
      for (const name of ["_zod", "def", "type"])
        Object.defineProperty(this, name, { configurable: true, writable: true, enumerable: name !== "_zod" });
      kind.init(this as never, definition);
      const internals = this._zod;
      for (const finish of internals.deferred ?? []) finish();
      internals.deferred = undefined;
      return internals;
    }
    get def(): unknown {
      return this._zod.def;
    }
    get type(): string {
      return this._zod.def.type;
    }
  }
  Object.setPrototypeOf(Later.prototype, Object.getPrototypeOf(example));
  const later = (define: () => DefinitionOf<S>): S => new Later(define) as never;
  return isLike(example, later) ? later : (define) => new kind(define());
}

/** Whether a lazily created schema is read and validates like one created at once. */
function isLike<S extends z.ZodType>(example: S, later: (define: () => DefinitionOf<S>) => S): boolean {
  try {
    const traits = (schema: S): string => [...schema._zod.traits].join();
    const [read, judging] = [later(() => example._zod.def), later(() => example._zod.def)];
    return read.type === example.type && traits(read) === traits(example) && judging.safeParse({}).success;
  } catch {
    return false;
  }
}
