/** Paths such as `monitors.load_avg` and `deltas.load_avg`, which hold readings of monitors. */
const MONITOR_PATH = /^(monitors|deltas)\.(\w+)/;

/**
 * A sentence for each monitor that an expression reads but that does not exist: there is no value to compare, so the
 * alert never fires.
 */
export function unknownMonitorWarnings(paths: readonly string[], isKnown: (id: string) => boolean): string[] {
  const unknown = new Set(
    paths.flatMap((path) => {
      const [, source, id = ""] = MONITOR_PATH.exec(path) ?? [];
      return source === undefined || isKnown(id) ? [] : [`${source}.${id}`];
    }),
  );
  return [...unknown].map(
    (path) =>
      `Expression: there is no monitor for ${path}, so it is nothing there. Create the monitor, or name another.`,
  );
}

/** A sentence about a text whose last macro is not closed, and which is therefore sent verbatim. */
export function unclosedMacroWarning(text: string): string | undefined {
  const at = text.lastIndexOf("{{");
  if (at === -1 || text.includes("}}", at)) return undefined;
  return `Message: "${text.slice(at, at + 50)}" is not closed by "}}", so it stays as it is. Close it.`;
}
