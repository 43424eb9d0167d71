import { type EffectiveRights, isUnlimited } from "../../../../directory/access/rules/access.ts";
import { isObject } from "../../../../lib/json/is-object.ts";

type Data = Readonly<Record<string, unknown>>;
type Change = (command: string) => string;

/**
 * Minute data with changed command lines of processes and containers. Returns the same object when nothing changes.
 * Members of unexpected shapes are left alone.
 */
export function withCommands(data: Data, change: Change): Data {
  return inList(inList(data, ["processes", "list"], change), ["docker", "containers"], change);
}

function inList(data: Data, [part, name]: readonly [string, string], change: Change): Data {
  const parent = data[part];
  const list = isObject(parent) ? parent[name] : undefined;
  if (!Array.isArray(list)) return data;
  const changed = changeAll(list, change);
  return changed === list ? data : { ...data, [part]: { ...(parent as Data), [name]: changed } };
}

/** Copies the list only at the first change: in most minutes there is none. */
function changeAll(list: readonly unknown[], change: Change): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const entry = list[index];
    const command = isObject(entry) ? entry["command"] : undefined;
    const next = typeof command === "string" ? change(command) : command;
    if (next === command) continue;
    changed ??= [...list];
    changed[index] = { ...(entry as Data), command: next };
  }
  return changed ?? list;
}

/** Program of a command line: the file name in its first word. */
export function programOf(command: string): string {
  const end = command.search(/\s/);
  const word = end < 0 ? command : command.slice(0, end);
  // Kernel threads have names in brackets, which may contain slashes.
  return word.startsWith("[") ? word : word.slice(word.lastIndexOf("/") + 1) || word;
}

type Reader = Pick<EffectiveRights, "groups" | "privileges">;

/** Privileges to take snapshots, to change servers, or to define work that runs on them. */
const READERS = ["admin", "create_snapshots", "update_servers", "edit_events", "edit_plugins"] as const;

/**
 * True when a caller may read the arguments of processes on servers within its reach: by privilege, or because it was
 * assigned groups of servers. Whether it may read a server's reports at all is checked elsewhere.
 */
export const mayReadArguments = ({ privileges, groups }: Reader): boolean =>
  READERS.some((id) => Object.hasOwn(privileges, id)) || !isUnlimited(groups);

/** Minute data as this caller may see it. */
export const commandsFor = (reader: Reader, data: Data): Data =>
  mayReadArguments(reader) ? data : withCommands(data, programOf);
