import type { UserConfig } from "../../users/config.ts";
import { sessionPeriod } from "./session.ts";

type CookieSettings = Exclude<UserConfig["cookie_settings"], false>;

const EPOCH = "Expires=Thu, 01 Jan 1970 00:00:00 GMT";

/**
 * Value of `Set-Cookie` for a new or renewed session (docs/contract/credentials.md#cookie); undefined when cookies are disabled.
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

/** Value of `Set-Cookie` that deletes the cookie; undefined when cookies are disabled. */
export function clearedCookie({ cookie_settings: settings }: UserConfig, baseUrl: string): string | undefined {
  if (!settings) return undefined;
  return join(["session_id=", "Max-Age=0", EPOCH, `Path=${cookiePath(settings, baseUrl)}`, ...flags(settings)]);
}

const flags = ({ httpOnly, sameSite }: CookieSettings) => [httpOnly && "HttpOnly", `SameSite=${sameSite}`];

const join = (parts: readonly (string | false)[]): string => parts.filter(Boolean).join("; ");

/** The configured path, or the mount point: a mounted engine must not expose its cookie to other pages of the host. */
function cookiePath({ path }: CookieSettings, baseUrl: string): string {
  if (path !== "/") return path;
  const mount = URL.parse(baseUrl)?.pathname ?? "/";
  // A mount point with parameters contains text of the caller, which must not end the cookie's attribute.
  return mount.replace(/[^\w\-.~/%]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
