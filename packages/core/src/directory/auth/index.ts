import type { Gatekeeper } from "../../kernel/calls/gatekeeper.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { keyUseCollection, sessionCollection } from "./collection.ts";
import type { AuthEvents } from "./events.ts";
import { login } from "./operations/login.ts";
import { logout } from "./operations/logout.ts";
import { adminLogoutAll, logoutAll } from "./operations/logout-all.ts";
import { resumeSession } from "./operations/resume-session.ts";
import { PRIVILEGES } from "./rules/privileges.ts";
import { createGatekeeper } from "./service.ts";
import { createIdentities, type Identities } from "./services/identities.ts";
import { createKeyUses, type KeyUses } from "./services/keys/key-uses.ts";
import { createLoginBundle, type LoginBundle } from "./services/logins/login-bundle.ts";
import { createLoginThrottle, type LoginThrottle } from "./services/logins/login-throttle.ts";
import { createLogins, type Logins } from "./services/logins/logins.ts";
import { createSessions, type Sessions } from "./services/logins/sessions.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends AuthEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly gatekeeper: Gatekeeper;
    readonly identities: Identities;
    readonly sessions: Sessions;
    readonly keyUses: KeyUses;
    readonly logins: Logins;
    readonly loginThrottle: LoginThrottle;
    readonly loginBundle: LoginBundle;
  }
}

export const auth = definePlugin({
  id: "auth",
  privileges: PRIVILEGES,
  collections: [sessionCollection, keyUseCollection],
  transfer: { own: [keyUseCollection] },
  operations: [login, logout, resumeSession, logoutAll, adminLogoutAll],
  services: {
    gatekeeper: createGatekeeper,
    identities: createIdentities,
    sessions: createSessions,
    keyUses: createKeyUses,
    logins: createLogins,
    loginThrottle: createLoginThrottle,
    loginBundle: createLoginBundle,
  },
  loops: [
    { name: "auth.key-uses", everySec: 60, on: "every-node", run: (_now, { keyUses }) => keyUses.save() },
    {
      name: "auth.sessions",
      everySec: 3600,
      on: "leader",
      run: (now, { sessions }, signal) => sessions.sweep(now, signal),
    },
  ],
  on: {
    "api_key.deleted": ({ id }, { keyUses }) => keyUses.forget(id),
    "user.unlocked": ({ id }, { loginThrottle }) => loginThrottle.forgiveAccount(id),
  },
  async stop({ keyUses, sessions }) {
    await keyUses.save();
    await sessions.settled();
  },
});
