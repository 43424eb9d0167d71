import type { Receiver } from "../../model.ts";

/** Placeholder in a list of users for all active administrators. */
export const ALL_ADMINISTRATORS = "@admins";

/** All active administrators: the fallback when neither the receiver nor the configuration names one. */
export const ADMINISTRATORS: Receiver = {
  id: ALL_ADMINISTRATORS,
  title: "administrators",
  enabled: true,
  type: "user",
  users: [ALL_ADMINISTRATORS],
  username: "system",
  created: 0,
  modified: 0,
};
