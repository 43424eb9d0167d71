/** Address at which agents reach the engine. */
export interface Address {
  /** Full address, without a trailing slash. */
  readonly url: string;
  /** The part of `url` before its path. */
  readonly origin: string;
  /** The path of `url`. */
  readonly path: string;
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

export interface AddressSettings {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly secure?: boolean | undefined;
}

const PORT = 5522;
/**
 * Characters that are safe in a script: the address comes from a request (docs/contract/satellites.md#installation).
 */
const SAFE = /^[\w.:/[\]-]+$/;

/**
 * Builds the address from the settings, and takes missing parts from `base`, the address that the caller used or the
 * configured one. Undefined when it is not safe to put into a script.
 */
export function addressOf({ host, port, secure }: AddressSettings, base: string): Address | undefined {
  if (host !== undefined) return checked({ host, port: port ?? PORT, secure: secure ?? false, path: "" });
  const url = URL.parse(base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") return undefined;
  const isSecure = secure ?? url.protocol === "https:";
  const own = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return checked({ host: url.hostname, port: port ?? own, secure: isSecure, path: url.pathname.replace(/\/+$/, "") });
}

interface Parts {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly path: string;
}

function checked({ host, port, secure, path }: Parts): Address | undefined {
  const isUsual = port === (secure ? 443 : 80);
  const origin = `${secure ? "https" : "http"}://${host}${isUsual ? "" : `:${port}`}`;
  const url = origin + path;
  return SAFE.test(url) ? { url, origin, path, host, port, secure } : undefined;
}
