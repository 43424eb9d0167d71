import { type EffectiveRights, isUnlimited } from "../../../../directory/access/rules/access.ts";
import { isObject } from "../../../../lib/json/is-object.ts";

type Data = Readonly<Record<string, unknown>>;
type Change = (command: string) => string;

/**
 * Minute data with the command lines of processes and containers changed; the same object when nothing changes. Members of
 * other shapes than agents send stay as they are.
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

/** A copy is made with the first change alone: of most minutes there is none. */
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

/** Program of a command line: the file name of the first word. */
export function programOf(command: string): string {
  const end = command.search(/\s/);
  const word = end < 0 ? command : command.slice(0, end);
  // Threads of the kernel have names in brackets, with slashes.
  return word.startsWith("[") ? word : word.slice(word.lastIndexOf("/") + 1) || word;
}

type Reader = Pick<EffectiveRights, "groups" | "privileges">;

/** Privileges to take snapshots of servers, to change servers, or to define work that runs on them. */
const READERS = ["admin", "create_snapshots", "update_servers", "edit_events", "edit_plugins"] as const;

/**
 * True for a caller who may read the arguments of processes on the servers within its reach: by privilege, or because it
 * was given groups of servers. Whether it may read a server's reports at all is decided elsewhere.
 */
export const mayReadArguments = ({ privileges, groups }: Reader): boolean =>
  READERS.some((id) => Object.hasOwn(privileges, id)) || !isUnlimited(groups);

/** Minute data as this caller may see them. */
export const commandsFor = (reader: Reader, data: Data): Data =>
  mayReadArguments(reader) ? data : withCommands(data, programOf);
