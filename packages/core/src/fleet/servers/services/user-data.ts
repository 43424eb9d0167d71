import { serverCollection } from "../collection.ts";
import { CHANGED_MESSAGE } from "../rules/messages.ts";
import { storedServer } from "../rules/shown/public.ts";
import { isTooLarge, mergedData } from "../rules/user-data.ts";
import type { ServerRegistry } from "../service.ts";

export const mergeUserData: ServerRegistry["mergeUserData"] = async ({ tx, emit }, id, data) => {
  const servers = tx.collection(serverCollection);
  const server = await servers.get(id);
  if (!server) return true;
  const userData = mergedData(server.userData, data, false);
  if (isTooLarge(userData)) return false;
  const changed = await servers.update(id, (stored) => ({ ...stored, userData }));
  tx.publish({ type: CHANGED_MESSAGE, payload: { id } });
  emit("server.updated", storedServer(changed));
  return true;
};
