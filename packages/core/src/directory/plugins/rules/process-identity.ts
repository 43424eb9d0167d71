import type { PluginRecord } from "../model.ts";

type Identity = Pick<PluginRecord, "uid" | "gid">;

/** Folder, user and group of a plugin's process: its own before the configured ones; absent = the agent's. */
export function processIdentity({ cwd = "", uid, gid }: Identity & Pick<PluginRecord, "cwd">, configured: Identity) {
  const user = String((uid || configured.uid) ?? "");
  const group = String((gid || configured.gid) ?? "");
  return { cwd, ...(user === "" ? {} : { uid: user }), ...(group === "" ? {} : { gid: group }) };
}
