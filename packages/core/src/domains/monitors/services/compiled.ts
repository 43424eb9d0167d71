import type { CompiledRegex } from "../../../expressions/index.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { monitorCollection } from "../collection.ts";
import type { Monitor } from "../model.ts";
import { isWhole, type Parse, parserOf } from "../rules/coerce.ts";
import type { CompiledMonitor } from "../rules/evaluate.ts";
import type { CompiledQuick } from "../rules/quick.ts";

type Deps = Pick<Cradle, "config" | "definitions" | "expressions" | "log" | "registry">;

/** Compiled definitions, made once per change. */
export interface CompiledMonitors {
  /** In the order of evaluation. */
  all(): readonly CompiledMonitor[];
  readonly quick: readonly CompiledQuick[];
}

const matchesNothing: Pick<CompiledRegex, "exec"> = { exec: () => null };

export function createCompiledMonitors({ config, definitions, expressions, log, registry }: Deps): CompiledMonitors {
  /** Stored definitions are frozen and replaced whole, so the record itself is the key. */
  const known = new WeakMap<Monitor, CompiledMonitor>();
  let list: readonly CompiledMonitor[] = [];
  let revision = -1;

  function readerOf(id: string, source: string): CompiledMonitor["read"] {
    try {
      return expressions.compile(source).evaluate;
    } catch (error) {
      log.error({ monitor: id, error }, "The source of a monitor is no expression; it reads nothing");
      return () => undefined;
    }
  }
  function matcherOf(id: string, pattern: string | null | undefined): Pick<CompiledRegex, "exec"> | undefined {
    if (!pattern) return undefined;
    try {
      return expressions.regexes.compile(pattern);
    } catch (error) {
      log.error({ monitor: id, error }, "The pattern of a monitor is no regular expression; it matches nothing");
      return matchesNothing;
    }
  }
  function parse(dataType: string): Parse {
    const own = registry.dataTypes.get(dataType);
    return own ? (value) => own.parse(value) : parserOf(dataType);
  }
  function compile(monitor: Monitor): CompiledMonitor {
    const compiled = known.get(monitor) ?? {
      monitor,
      read: readerOf(monitor.id, monitor.source),
      match: matcherOf(monitor.id, monitor.data_match),
      parse: parse(monitor.data_type),
      whole: isWhole(monitor.data_type),
    };
    known.set(monitor, compiled);
    return compiled;
  }
  return {
    all() {
      const current = definitions.revision(monitorCollection);
      if (current !== revision) {
        list = definitions.all(monitorCollection).map(compile);
        revision = current;
      }
      return list;
    },
    quick: config.quick_monitors.map((definition) => ({
      definition,
      read: readerOf(definition.id, definition.source),
      match: matcherOf(definition.id, definition.data_match),
    })),
  };
}
