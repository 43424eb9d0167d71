import type { UserConfig } from "../../users/config.ts";
import { sessionPeriod } from "./session.ts";

type CookieSettings = Exclude<UserConfig["cookie_settings"], false>;

const EPOCH = "Expires=Thu, 01 Jan 1970 00:00:00 GMT";

/**
 * Value of `Set-Cookie` for a fresh or renewed session (docs/contract/credentials.md#cookie); undefined when cookies
 * are switched off.
 */
export function sessionCookie(id: string, config: UserConfig, baseUrl: string): string | undefined {
  const settings = config.cookie_settings;
  if (!settings) return undefined;
  const isSecure = settings.secure === "auto" ? baseUrl.startsWith("https:") : settings.secure;
  return join([
    `session_id=${id}`,
    `Max-Age=${sessionPeriod(config.session_expire_days)}`,
    `Path=${cookiePath(settings, baseUrl)}`,
    isSecure && "Secure",
    ...flags(settings),
  ]);
}

/** Value of `Set-Cookie` that takes the cookie away; undefined when cookies are switched off. */
export function clearedCookie({ cookie_settings: settings }: UserConfig, baseUrl: string): string | undefined {
  if (!settings) return undefined;
  return join(["session_id=", "Max-Age=0", EPOCH, `Path=${cookiePath(settings, baseUrl)}`, ...flags(settings)]);
}

const flags = ({ httpOnly, sameSite }: CookieSettings) => [httpOnly && "HttpOnly", `SameSite=${sameSite}`];

const join = (parts: readonly (string | false)[]): string => parts.filter(Boolean).join("; ");

/** The configured path, or the mount point: the host's other pages must not get the cookie of a mounted engine. */
function cookiePath({ path }: CookieSettings, baseUrl: string): string {
  if (path !== "/") return path;
  const mount = URL.parse(baseUrl)?.pathname ?? "/";
  // A mount point with parameters is the caller's text: it must stay inside its attribute.
  return mount.replace(/[^\w\-.~/%]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
