import type { ConnectionOptions } from "node:tls";
import {
  checkOptions,
  given,
  type OptionRules,
  optionalCount,
  optionalOneOf,
  required,
  requiredText,
} from "@signalbox/core/adapter";

/** Options of the connection to a mail server. */
export interface SmtpServerOptions {
  readonly host: string;
  /** Default 587; with `tls: "implicit"` 465. */
  readonly port?: number;
  /**
   * `starttls`: nothing is sent before the connection is encrypted. `implicit`: encrypted from the first byte. `opportunistic`:
   * encrypted if the server offers it. `none`: never encrypted. Default: `starttls` with credentials, otherwise `opportunistic`.
   */
  readonly tls?: SmtpTls;
  readonly auth?: { readonly user: string; readonly pass: string };
}

export type SmtpTls = "starttls" | "implicit" | "opportunistic" | "none";

const MODES: ReadonlySet<string> = new Set(["starttls", "implicit", "opportunistic", "none"] satisfies SmtpTls[]);

/** Options of the mail library for the connection. */
export interface SmtpConnection {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly requireTLS: boolean;
  readonly ignoreTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
  readonly tls?: ConnectionOptions;
}

/**
 * Reads `smtp://user:password@host:587`, `smtps://…` for implicit TLS, and `?tls=starttls`, `?tls=opportunistic` or `?tls=none`.
 * Throws `TypeError` with a message that never repeats the address, which may contain a password.
 */
export function parseSmtpUrl(text: string): SmtpServerOptions {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol))
    throw new TypeError("must be an address like smtp://user:password@host:587");
  if (url.hostname === "") throw new TypeError("must name a host");
  if (url.pathname.length > 1 || url.hash !== "") throw new TypeError("must have neither a path nor a fragment");
  const unknown = [...url.searchParams.keys()].find((name) => name !== "tls");
  if (unknown !== undefined) throw new TypeError(`has an unknown option: ${unknown.slice(0, 50)}`);
  const auth = credentialsOf(url);
  const tls = modeOf(url);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    ...(tls === undefined ? {} : { tls }),
    ...(auth === undefined ? {} : { auth }),
  };
}

function modeOf({ protocol, searchParams }: URL): SmtpTls | undefined {
  const mode = searchParams.get("tls") ?? undefined;
  if (mode !== undefined && !MODES.has(mode)) throw new TypeError("has an unknown value of tls");
  if (protocol === "smtp:") return mode as SmtpTls | undefined;
  if (mode !== undefined && mode !== "implicit") throw new TypeError("is smtps:, which allows no other tls");
  return "implicit";
}

function credentialsOf({ username, password }: URL): SmtpServerOptions["auth"] {
  if (username === "" && password === "") return undefined;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    // The decoder's own message does not help and might quote the password.
    throw new TypeError("has a user name or password that is not percent-encoded");
  }
}

const SERVER_RULES: OptionRules<SmtpServerOptions> = {
  host: requiredText,
  port: optionalCount,
  tls: optionalOneOf(...MODES),
  // Without credentials, TLS is not required by default.
  auth: given,
};
const AUTH_RULES: OptionRules<NonNullable<SmtpServerOptions["auth"]>> = { user: requiredText, pass: required };

/** Throws `TypeError` with a message that repeats no credential. */
export function checkServer(server: SmtpServerOptions): void {
  checkOptions("smtpMailer: server", server, SERVER_RULES);
  if (server.auth) checkOptions("smtpMailer: server: auth", server.auth, AUTH_RULES);
}

export function connectionOf(server: SmtpServerOptions, tls: ConnectionOptions | undefined): SmtpConnection {
  const mode = server.tls ?? (server.auth ? "starttls" : "opportunistic");
  return {
    host: server.host,
    port: server.port ?? (mode === "implicit" ? 465 : 587),
    secure: mode === "implicit",
    requireTLS: mode === "starttls",
    ignoreTLS: mode === "none",
    ...(server.auth ? { auth: server.auth } : {}),
    ...(tls ? { tls } : {}),
  };
}
