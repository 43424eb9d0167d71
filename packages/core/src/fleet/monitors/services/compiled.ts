import type { CompiledRegex } from "../../../expressions/index.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { MonitorDataType } from "../../../kernel/plugins/plugin.ts";
import { monitorCollection } from "../collection.ts";
import type { Monitor } from "../model.ts";
import { isWhole, type Parse, parserOf } from "../rules/readings/coerce.ts";
import type { CompiledMonitor } from "../rules/readings/evaluate.ts";
import type { CompiledQuick } from "../rules/readings/quick.ts";
import type { Trial } from "../rules/readings/trial.ts";

type Deps = Pick<Cradle, "config" | "definitions" | "expressions" | "log" | "registry">;

/** Compiled definitions, compiled once per change. */
export interface CompiledMonitors {
  /** Monitors, in the order of evaluation. */
  all(): readonly CompiledMonitor[];
  /** The quick monitors of the current configuration. */
  quick(): readonly CompiledQuick[];
  /** Compiles a monitor for a trial; throws errors of the expression or the pattern. */
  trial(source: TrialSource): Trial;
}

/** A source that is tried out before it is saved. */
export interface TrialSource {
  readonly source: string;
  /** An unknown type is parsed like "float". */
  readonly dataType: string;
  readonly pattern: string | undefined;
}

const matchesNothing: Pick<CompiledRegex, "exec"> = { exec: () => null };

export function createCompiledMonitors(deps: Deps): CompiledMonitors {
  const { definitions, expressions } = deps;
  /** Stored definitions are frozen and replaced as a whole, so the record itself is the key. */
  const known = new WeakMap<Monitor, CompiledMonitor>();
  const parts = createParts(deps);
  let list: readonly CompiledMonitor[] = [];
  let revision = -1;
  const compile = (monitor: Monitor): CompiledMonitor => {
    const compiled = known.get(monitor) ?? {
      monitor,
      read: parts.read(monitor.id, monitor.source),
      match: parts.match(monitor.id, monitor.data_match),
      parse: parts.parse(monitor.data_type),
      whole: isWhole(monitor.data_type),
    };
    known.set(monitor, compiled);
    return compiled;
  };
  return {
    all() {
      const current = definitions.revision(monitorCollection);
      if (current !== revision) {
        list = definitions.all(monitorCollection).map(compile);
        revision = current;
      }
      return list;
    },
    quick: createQuick(deps, parts),
    trial: ({ source, dataType, pattern }) => ({
      read: expressions.compile(source).evaluate,
      match: pattern ? expressions.regexes.compile(pattern) : undefined,
      parse: parts.parse(dataType),
    }),
  };
}

type Parts = ReturnType<typeof createParts>;

/** An upgrade may have made a stored definition invalid: it then reads nothing, and an error is logged. */
function createParts({ expressions, log, registry }: Deps) {
  const noted = new Set<string>();
  const noteOnce = (dataType: string, error: unknown): void => {
    if (noted.has(dataType)) return;
    noted.add(dataType);
    log.error({ dataType, error }, "A data type of a plugin failed; what it cannot read is 0");
  };
  return {
    read(id: string, source: string): CompiledMonitor["read"] {
      try {
        return expressions.compile(source).evaluate;
      } catch (error) {
        log.error({ monitor: id, error }, "The source of a monitor is no expression; it reads nothing");
        return () => undefined;
      }
    },
    match(id: string, pattern: string | null | undefined): CompiledMonitor["match"] {
      if (!pattern) return undefined;
      try {
        return expressions.regexes.compile(pattern);
      } catch (error) {
        log.error({ monitor: id, error }, "The pattern of a monitor is no regular expression; it matches nothing");
        return matchesNothing;
      }
    },
    parse(dataType: string): Parse {
      const own = registry.dataTypes.get(dataType);
      return own ? guardParse(own, (error) => noteOnce(dataType, error)) : parserOf(dataType);
    },
  };
}

/** Guards the parser of a plugin: its errors must not lose a server's minute. */
function guardParse(dataType: MonitorDataType, note: (error: unknown) => void): Parse {
  return (value) => {
    try {
      const parsed = dataType.parse(value);
      return typeof parsed === "number" ? parsed : undefined;
    } catch (error) {
      note(error);
      return undefined;
    }
  };
}

function createQuick({ config }: Pick<Deps, "config">, { read, match }: Parts): CompiledMonitors["quick"] {
  let source: typeof config.quick_monitors | undefined;
  let compiled: readonly CompiledQuick[] = [];
  return () => {
    // A changed configuration has a new list.
    if (config.quick_monitors === source) return compiled;
    source = config.quick_monitors;
    compiled = source.map((definition) => ({
      definition,
      read: read(definition.id, definition.source),
      match: match(definition.id, definition.data_match),
    }));
    return compiled;
  };
}
