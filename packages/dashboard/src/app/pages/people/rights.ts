/** The rights that a role grants. */
export interface RoleRights {
  readonly id: string;
  readonly title: string;
  readonly enabled?: unknown;
  readonly privileges?: Readonly<Record<string, unknown>> | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
}

/** Where a right comes from: undefined = the account or key itself, else the title of a role. */
export interface Way {
  readonly role?: string;
}

export interface Rights {
  /** For each privilege, where it comes from. Administrators have only "admin", which implies all. */
  readonly privileges: ReadonlyMap<string, readonly Way[]>;
  /** Empty means not limited. */
  readonly categories: ReadonlyMap<string, readonly Way[]>;
  readonly groups: ReadonlyMap<string, readonly Way[]>;
}

interface Holder {
  readonly privileges?: Readonly<Record<string, unknown>> | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
}

type Source = Way & Pick<RoleRights, "privileges" | "categories" | "groups">;

const given = (privileges: Readonly<Record<string, unknown>> = {}): readonly string[] =>
  Object.entries(privileges)
    .filter(([, value]) => Boolean(value))
    .map(([name]) => name);

function collect(
  sources: readonly Source[],
  namesOf: (source: Source) => readonly string[],
): Map<string, readonly Way[]> {
  const found = new Map<string, readonly Way[]>();
  for (const source of sources) {
    const way: Way = source.role === undefined ? {} : { role: source.role };
    for (const name of namesOf(source)) found.set(name, [...(found.get(name) ?? []), way]);
  }
  return found;
}

/** Limits of all sources add up. "*" in any source removes them, and administrators have none. */
function limits(sources: readonly Source[], member: "categories" | "groups", isAdmin: boolean): Rights["categories"] {
  const found = collect(sources, (source) => source[member] ?? []);
  return isAdmin || found.has("*") ? new Map() : found;
}

/** Effective rights of an account or key and their sources, by the server's rules: a disabled role grants nothing. */
export function rightsOf(holder: Holder, roles: readonly RoleRights[]): Rights {
  const held = roles.filter(({ id, enabled }) => holder.roles?.includes(id) && Boolean(enabled ?? true));
  const sources: readonly Source[] = [holder, ...held.map((role) => ({ ...role, role: role.title || role.id }))];
  const privileges = collect(sources, (source) => given(source.privileges));
  const isAdmin = privileges.has("admin");
  return { privileges, categories: limits(sources, "categories", isAdmin), groups: limits(sources, "groups", isAdmin) };
}
