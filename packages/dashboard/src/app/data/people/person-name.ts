import { computed } from "@preact/signals";
import { api, isAdmin, viewer } from "../calls/session.ts";
import { onLive } from "../live.ts";
import { createRows, type Row } from "../records/live-rows.ts";

/** Accounts that one question answers; of more the others are named by their ids. */
const AT_ONCE = 1000;

interface Named extends Row {
  readonly title: string;
  /** Of an account: as it is chosen in a form. */
  readonly choice?: string;
}

const choiceOf = (id: string, name: string): string => (name ? `${name} (${id})` : id);
const ofUser = ({ username, full_name = "" }: { readonly username: string; readonly full_name?: string }): Named => ({
  ...{ id: username, title: full_name || username, choice: choiceOf(username, full_name) },
});

function load() {
  const { rows, ask } = createRows(async () => {
    const [users, keys] = await Promise.all([api.userAdminGetUsers({ limit: AT_ONCE }), api.getApiKeys({})]);
    return [...users.rows.map(ofUser), ...keys.rows];
  });
  onLive("single", ({ list }: { readonly list: string }) => {
    if (list === "users" || list === "api_keys") void ask();
  });
  onLive("back", () => void ask());
  void ask();
  return computed(() => new Map(rows.value?.map((row) => [row.id, row as Named])));
}

let names: ReturnType<typeof load> | undefined;

/**
 * Name of an account or an API key by its id, which administrators may list and others know of themselves alone; the id of one that
 * is gone. Read it in a component, which is drawn again when the names come.
 */
export function personName(id: string): string {
  const own = viewer.value;
  if (id === own?.id) return own.title || id;
  if (!id || !isAdmin()) return id;
  names ??= load();
  return names.value.get(id)?.title || id;
}

/** People who may be named in a form: administrators see all accounts, others type names and are offered their own. */
export function people(): readonly { readonly value: string; readonly title: string }[] {
  const own = viewer.value;
  if (!isAdmin()) return own?.kind === "user" ? [{ value: own.id, title: choiceOf(own.id, own.title) }] : [];
  names ??= load();
  return [...names.value.values()].flatMap(({ id, choice }) => (choice ? [{ value: id, title: choice }] : []));
}
