import { useLoad } from "../../../data/calls/load.ts";
import { api, isAdmin, viewer } from "../../../data/calls/session.ts";
import type { Choice } from "../../../parts/forms/fields.tsx";

const MOST = 200;

/** People who may be named: administrators see all accounts, others type names and are offered their own. */
export function usePeople(): readonly Choice[] {
  const found = useLoad(`people ${isAdmin()}`, async (signal): Promise<readonly Choice[]> => {
    const own = viewer.value;
    if (!isAdmin()) return own?.kind === "user" ? [{ value: own.id, title: own.title }] : [];
    const { rows } = await api.userAdminGetUsers({ limit: MOST }, { signal });
    return rows.map(({ username, full_name: name }) => ({
      value: username,
      title: name ? `${name} (${username})` : username,
    }));
  });
  return found.data.value ?? [];
}
