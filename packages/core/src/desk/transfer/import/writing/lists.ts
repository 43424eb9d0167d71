import type { TransferMaps } from "../../../../kernel/calls/registry.ts";
import type { TransferList } from "../../../../kernel/plugins/transfer.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import type { StoredRecord } from "../../../../ports/storage/collection.ts";
import { isSafeId } from "../../rules/format/keys.ts";
import { shown } from "../../rules/format/lines.ts";
import { placeAfter } from "../../rules/format/pages.ts";

type Members = Readonly<Record<string, unknown>>;

/** State of one list, as a file gives it. */
interface ListState {
  /** The file replaces the whole list. */
  isEmptied: boolean;
  /** Ids that the file has named since. */
  readonly seen: Set<string>;
  /** Ids that the file takes away one by one. */
  readonly gone: Set<string>;
  place: number;
}

/**
 * Lists as a file gives them. Entries that it leaves out are removed at the end and not when the file says so: a file
 * that breaks off takes nothing away, and no caller ever meets an empty list.
 */
export interface ListBook {
  empty(name: string): void;
  /** The record of an entry; undefined where the entry only names a record. Throws `Error` with the reason. */
  take(name: string, entry: unknown): StoredRecord | undefined;
  /** A record of the list came under a key of its own. */
  see(name: string, id: string): void;
  remove(name: string, id: string): void;
  readonly states: ReadonlyMap<string, ListState>;
}

function stateIn(states: Map<string, ListState>, name: string): ListState {
  const state = states.get(name) ?? { isEmptied: false, seen: new Set(), gone: new Set(), place: -1 };
  states.set(name, state);
  return state;
}

/** Notes that the file has the entry, even if it took it away before. */
function note({ seen, gone }: ListState, id: string): void {
  seen.add(id);
  gone.delete(id);
}

export function createListBook({ lists }: Pick<TransferMaps, "lists">): ListBook {
  const states = new Map<string, ListState>();
  const stateOf = (name: string): ListState => stateIn(states, name);
  return {
    states,
    empty(name) {
      const state = stateOf(name);
      const isNamed = lists.get(name)?.names !== undefined;
      state.isEmptied = true;
      state.place = -1;
      // Records with keys of their own may have come before the list that names them.
      if (!isNamed) state.seen.clear();
    },
    take(name, entry) {
      const list = lists.get(name);
      if (!list || !isObject(entry)) throw new Error(`An entry of ${name} is no object`);
      const state = stateOf(name);
      if (list.names) {
        const id = list.names.idOf(entry);
        if (id !== undefined) state.seen.add(id);
        return undefined;
      }
      // Also an entry that cannot be taken: the file names it, so a stored one of that id stays.
      if (typeof entry["id"] === "string") note(state, entry["id"]);
      const place = placeAfter(state.place, entry["sort_order"]);
      const record = checkedRecord(name, list, list.sorted ? { ...entry, sort_order: place } : entry);
      state.place = place;
      return record;
    },
    see: (name, id) => note(stateOf(name), id),
    remove(name, id) {
      const state = stateOf(name);
      state.seen.delete(id);
      state.gone.add(id);
    },
  };
}

/** A fresh record of the shape that its domain asks for. */
function checkedRecord(name: string, { shape, take }: TransferList, entry: Members): StoredRecord & Members {
  const { id } = entry;
  if (typeof id !== "string" || !isSafeId(id)) throw new Error(`Malformed id in ${name}: ${shown(String(id))}`);
  const record = { ...(take?.(entry) ?? entry), id };
  const fault = shapeFault(shape, record);
  if (fault !== undefined) throw new Error(`Malformed record ${id} in ${name}: ${fault}`);
  return record;
}

/** The first member that is not as it must be; undefined = all are. */
export function shapeFault(shape: TransferList["shape"], record: unknown): string | undefined {
  const { error } = shape.safeParse(record);
  if (!error) return undefined;
  const [issue] = error.issues;
  return shown(issue?.path.join(".") || (issue?.message ?? "unreadable"));
}
