import type { TransferMaps } from "../../../../kernel/calls/registry.ts";
import type { TransferList } from "../../../../kernel/plugins/transfer.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import type { StoredRecord } from "../../../../ports/storage/collection.ts";
import { isSafeId } from "../../rules/format/keys.ts";
import { shown } from "../../rules/format/lines.ts";
import { placeAfter } from "../../rules/format/pages.ts";

type Members = Readonly<Record<string, unknown>>;

/** State of one list according to the file. */
interface ListState {
  /** True = the file replaces the whole list. */
  isEmptied: boolean;
  /** Ids that the file has named since. */
  readonly seen: Set<string>;
  /** Ids that the file removes one by one. */
  readonly gone: Set<string>;
  place: number;
}

/**
 * The lists according to the file. Entries that the file leaves out are removed at the end of the import, not when the file
 * empties the list: a file that breaks off then removes nothing, and no caller ever sees an empty list.
 */
export interface ListBook {
  empty(name: string): void;
  /** The record of an entry; undefined if the entry only refers to a record. Throws `Error` with the reason. */
  take(name: string, entry: unknown): StoredRecord | undefined;
  /** Notes that a record of the list came under its own key. */
  see(name: string, id: string): void;
  remove(name: string, id: string): void;
  readonly states: ReadonlyMap<string, ListState>;
}

function stateIn(states: Map<string, ListState>, name: string): ListState {
  const state = states.get(name) ?? { isEmptied: false, seen: new Set(), gone: new Set(), place: -1 };
  states.set(name, state);
  return state;
}

/** Notes that the file contains the entry, even if it removed it before. */
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
      // Records that this list refers to may have come before the list, under their own keys.
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
      // Also noted for an invalid entry: because the file names it, the stored entry with that id stays.
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

/** For records that people wrote, or that are older than the stamps. */
const UNSTAMPED = { username: "admin", created: 0, modified: 0 };

/** A new record in the form that its domain requires. */
function checkedRecord(name: string, { shape, take }: TransferList, entry: Members): StoredRecord & Members {
  const { id } = entry;
  if (typeof id !== "string" || !isSafeId(id)) throw new Error(`Malformed id in ${name}: ${shown(String(id))}`);
  const record = { ...UNSTAMPED, ...(take?.(entry) ?? entry), id };
  const fault = shapeFault(shape, record);
  if (fault !== undefined) throw new Error(`Malformed record ${id} in ${name}: ${fault}`);
  return record;
}

/** The first invalid member; undefined = all are valid. */
export function shapeFault(shape: TransferList["shape"], record: unknown): string | undefined {
  const { error } = shape.safeParse(record);
  if (!error) return undefined;
  const [issue] = error.issues;
  return shown(issue?.path.join(".") || (issue?.message ?? "unreadable"));
}
