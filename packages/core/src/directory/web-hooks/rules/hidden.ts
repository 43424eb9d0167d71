import { REDACTED } from "./redact.ts";

/**
 * Parts of an address that are secret although no secret value looks like them, because the parser has changed them or because
 * errors name only the host. `shown` is the address as people may see it.
 */
export function hiddenParts(url: string, shown: string): string[] {
  const [before = "", ...after] = shown.split(REDACTED);
  if (after.length === 0) return [];
  const { host, hostname, href, origin, pathname, search } = new URL(url);
  const isWhole = !/^https?:\/\//i.test(before);
  const hasPlainHost = /^https?:\/\/[^/?#\\]*[/?#\\]/i.test(before);
  const ofHost = hasPlainHost ? [] : [origin, host, hostname];
  const ofPath = isWhole ? [`${pathname}${search}`, pathname, search].filter((part) => part.length > 1) : [];
  return [href, ...ofHost, ...ofPath];
}
