import type { Candidate } from "../../src/fleet/servers/rules/targets.ts";

/** A server that targets may name; by default a member of "main". */
export const candidate = (id: string, members: Partial<Candidate> = {}): Candidate => ({
  id,
  hostname: `${id}.example.internal`,
  groups: ["main"],
  enabled: true,
  ...members,
});

/** Three servers: two in each of the groups "main" and "db". */
export const a = candidate("a", { title: "Zeta", groups: ["main", "db"] });
export const b = candidate("b", { title: "alpha" });
export const c = candidate("c", { groups: ["db"] });
