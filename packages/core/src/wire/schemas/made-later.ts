import type * as z from "zod";

type DefinitionOf<S extends z.ZodType> = S["_zod"]["def"];

/** A class of Zod's schemas, as `z.ZodObject`. */
interface Kind<S extends z.ZodType> {
  new (definition: DefinitionOf<S>): S;
  init(schema: S, definition: DefinitionOf<S>): void;
}

/**
 * Makes schemas of one kind that Zod fills in at the first look: until then each is two words in place of 1.7 KB, and a
 * process looks at few of all that operations have. `example` is a schema of that kind: with it Zod has put the kind's
 * methods in place. A Zod that fills in schemas in another way than the release of our lock makes them at once.
 */
export function madeLater<S extends z.ZodType>(kind: Kind<S>, example: S): (define: () => DefinitionOf<S>) => S {
  class Later {
    readonly #define: () => DefinitionOf<S>;
    constructor(define: () => DefinitionOf<S>) {
      this.#define = define;
    }
    get _zod(): z.core.$ZodTypeInternals {
      const definition = this.#define();
      // Zod takes a schema that has internals for one that is filled in, and sets the other two itself.
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

/** Whether a schema that is made later is read and judges as one that is made at once. */
function isLike<S extends z.ZodType>(example: S, later: (define: () => DefinitionOf<S>) => S): boolean {
  try {
    const traits = (schema: S): string => [...schema._zod.traits].join();
    const [read, judging] = [later(() => example._zod.def), later(() => example._zod.def)];
    return read.type === example.type && traits(read) === traits(example) && judging.safeParse({}).success;
  } catch {
    return false;
  }
}
