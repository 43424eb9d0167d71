import type { PluginRecord } from "../model.ts";

type Identity = Pick<PluginRecord, "uid" | "gid">;

const named = (account: PluginRecord["uid"]) => (account === "" ? undefined : account);

/** User and group of a plugin, which take precedence over the configured ones; empty = the agent's. */
export const identityOf = ({ uid, gid }: Identity, configured: Identity) => ({
  uid: named(uid) ?? configured.uid ?? "",
  gid: named(gid) ?? configured.gid ?? "",
});

/** Folder, user and group of a plugin's process; absent = the agent's. */
export function processIdentity({ cwd, ...own }: Identity & Pick<PluginRecord, "cwd">, configured: Identity) {
  const { uid, gid } = identityOf(own, configured);
  return { cwd: cwd ?? "", ...(uid === "" ? {} : { uid: String(uid) }), ...(gid === "" ? {} : { gid: String(gid) }) };
}
