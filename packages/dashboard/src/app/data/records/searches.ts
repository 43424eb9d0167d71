import { signal } from "@preact/signals";
import { act } from "../calls/act.ts";
import { api, boot, store, stored } from "../calls/session.ts";

/** A query that somebody keeps: its name, and the address of the list with it. */
export interface SavedSearch {
  readonly name: string;
  /** Below the mount: `/jobs?q=tags%3A_error`. */
  readonly loc: string;
}

type Settings = NonNullable<Parameters<typeof api.userSettings>[0]>;

/** Searches that are kept of one viewer. */
const MOST_SAVED = 50;

const saved = signal<readonly unknown[] | undefined>(undefined);

/** An account keeps them; for people whom the host signs in, this browser does. */
const hasAccount = (): boolean => boot.peek()?.signIn === "own" && boot.peek()?.viewer?.kind === "user";

function read(): readonly unknown[] {
  const kept = hasAccount() ? boot.value?.account?.["searches"] : parsed(stored("searches"));
  return Array.isArray(kept) ? kept : [];
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "[]");
  } catch {
    // Another program wrote it.
    return [];
  }
}

/** Everything that is kept, also what other programs keep there and no page of ours opens. */
const all = (): readonly unknown[] => saved.value ?? read();

const isOurs = (entry: unknown): entry is SavedSearch => {
  const { name, loc } = (entry ?? {}) as Partial<SavedSearch>;
  return typeof name === "string" && typeof loc === "string" && loc.startsWith("/") && !loc.startsWith("//");
};

/** Saved searches of a list, by its path: `/jobs`. */
export const searchesOf = (path: string): readonly SavedSearch[] =>
  all()
    .filter(isOurs)
    .filter(({ loc }) => loc.split("?")[0] === path);

async function put(next: readonly unknown[], done: string): Promise<void> {
  const before = all();
  const keep = async (entries: readonly unknown[]): Promise<true> => {
    // Stored entries come out of JSON, other programs' entries included.
    if (hasAccount()) await api.userSettings({ searches: entries as Settings["searches"] });
    else store("searches", JSON.stringify(entries));
    saved.value = entries;
    return true;
  };
  await act("saved searches", { run: () => keep(next), done, undo: () => keep(before) });
}

export const saveSearch = (search: SavedSearch, done: string): Promise<void> =>
  put([...all().filter((entry) => !isOurs(entry) || entry.loc !== search.loc), search].slice(-MOST_SAVED), done);

export const forgetSearch = ({ loc }: SavedSearch, done: string): Promise<void> =>
  put(
    all().filter((entry) => !isOurs(entry) || entry.loc !== loc),
    done,
  );
