import { signal } from "@preact/signals";
import { act } from "../calls/act.ts";
import { api, boot, store, stored } from "../calls/session.ts";
import { isOurs, type SavedSearch, takenBack } from "./saved-searches.ts";

type Settings = NonNullable<Parameters<typeof api.userSettings>[0]>;

/** Most saved searches of one viewer. */
const MOST_SAVED = 50;

/** What this window has saved: the only copy when the browser blocks its storage. */
const inPage = signal<readonly unknown[]>([]);

/** True when the account stores the searches; for people whom the host signs in, this browser does. */
const hasAccount = (): boolean => boot.peek()?.signIn === "own" && boot.peek()?.viewer?.kind === "user";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Another program wrote text that is not JSON.
    return [];
  }
}

/** All saved entries, including those of other windows, and of other programs that no page here can open. */
function all(): readonly unknown[] {
  const [text, own] = [stored("searches"), inPage.value];
  const here = text === null ? own : parsed(text);
  const kept = hasAccount() ? boot.value?.account?.["searches"] : here;
  return Array.isArray(kept) ? kept : [];
}

/** Saved searches of a list, by its path: `/jobs`. */
export const searchesOf = (path: string): readonly SavedSearch[] =>
  all()
    .filter(isOurs)
    .filter(({ loc }) => loc.split("?")[0] === path);

async function keep(entries: readonly unknown[]): Promise<true> {
  if (!hasAccount()) store("searches", JSON.stringify(entries));
  // The entries came out of JSON, other programs' entries included, so they fit the type.
  else await api.userSettings({ searches: entries as Settings["searches"] });
  const first = boot.peek();
  if (first && hasAccount()) boot.value = { ...first, account: { ...first.account, searches: entries } };
  inPage.value = entries;
  return true;
}

const put = async (next: readonly unknown[], done: string): Promise<void> => {
  const before = all();
  await act("saved searches", { run: () => keep(next), done, undo: () => keep(takenBack(before, next, all())) });
};

export const saveSearch = (search: SavedSearch, done: string): Promise<void> =>
  put([...all().filter((entry) => !isOurs(entry) || entry.loc !== search.loc), search].slice(-MOST_SAVED), done);

export const forgetSearch = ({ loc }: SavedSearch, done: string): Promise<void> =>
  put(
    all().filter((entry) => !isOurs(entry) || entry.loc !== loc),
    done,
  );
