import { computed } from "@preact/signals";
import { api, isAdmin, viewer } from "../calls/session.ts";
import { onLive } from "../live.ts";
import { createRows, type Row } from "../records/live-rows.ts";

/** Most accounts per request; the ones beyond are shown by their ids. */
const AT_ONCE = 1000;

interface Named extends Row {
  readonly title: string;
  /** For an account: how forms list it. */
  readonly choice?: string;
}

const choiceOf = (id: string, name: string): string => (name ? `${name} (${id})` : id);
const ofUser = ({ username, full_name = "" }: { readonly username: string; readonly full_name?: string }): Named => ({
  id: username,
  title: full_name || username,
  choice: choiceOf(username, full_name),
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

/** The author of acts of the engine or its host. No account may have this name. */
const ENGINE = "system";

let names: ReturnType<typeof load> | undefined;

/**
 * Name of an account or API key by its id. Only administrators may list them, so others see names of themselves alone, and ids
 * otherwise; a deleted one has its id. Read it in a component, which renders again when the names come.
 */
export function personName(id: string): string {
  const own = viewer.value;
  if (id === own?.id) return own.title || id;
  if (id === ENGINE) return "System";
  if (!id || !isAdmin()) return id;
  names ??= load();
  return names.value.get(id)?.title || id;
}

/** People who may be named in a form. Administrators see all accounts; others type names and are offered only their own. */
export function people(): readonly { readonly value: string; readonly title: string }[] {
  const own = viewer.value;
  if (!isAdmin()) return own?.kind === "user" ? [{ value: own.id, title: choiceOf(own.id, own.title) }] : [];
  names ??= load();
  return [...names.value.values()].flatMap(({ id, choice }) => (choice ? [{ value: id, title: choice }] : []));
}
