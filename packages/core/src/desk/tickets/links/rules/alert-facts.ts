type Members = Readonly<Record<string, unknown>>;

const memberOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (current, name) => (typeof current === "object" && current !== null ? (current as Members)[name] : undefined),
    value,
  );

/** Facts about the server that the data of alerts does not spell out. */
export function alertFacts(data: Members): { readonly nice_cores: string; readonly nice_root_disk: string } {
  const cores = memberOf(data["server"], "info", "cpu", "cores") ?? memberOf(data["params"], "data", "cpu", "cores");
  const use = memberOf(data["params"], "data", "mounts", "root", "use");
  return {
    nice_cores: typeof cores === "number" ? String(cores) : "n/a",
    nice_root_disk: typeof use === "number" ? `${Math.round(use * 10) / 10}% in use` : "n/a",
  };
}
