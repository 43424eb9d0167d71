import { Resolver } from "node:dns/promises";
import { isIPv6 } from "node:net";
import type { DnsProbe } from "@signalbox/core/adapter";
import { allowedAddresses, type Found, type ProbeContext } from "./connection.ts";

type Read = (resolver: Resolver, name: string) => Promise<readonly string[]>;

const READS: Readonly<Record<DnsProbe["record"], Read>> = {
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: (resolver, name) => resolver.resolve6(name),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  NS: (resolver, name) => resolver.resolveNs(name),
  MX: async (resolver, name) => (await resolver.resolveMx(name)).map((each) => `${each.priority} ${each.exchange}`),
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((parts) => parts.join("")),
  async SOA(resolver, name) {
    const { nsname, hostmaster, serial, refresh, retry, expire, minttl } = await resolver.resolveSoa(name);
    return [[nsname, hostmaster, serial, refresh, retry, expire, minttl].join(" ")];
  },
};

const DEFAULT_PORT = "53";
const SERVER = /^(?:\[(?<six>[^\]]+)\]|(?<host>[^:]+|[\da-fA-F:]*:[\da-fA-F:]*:[\da-fA-F:]*))(?::(?<port>\d{1,5}))?$/;

export async function probeDns(
  { name, record, resolver: server }: DnsProbe,
  context: ProbeContext & { readonly timeoutMs: number },
): Promise<Found> {
  const { signal, timeoutMs } = context;
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  if (server !== undefined) resolver.setServers([await addressOf(server, context)]);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const values = await READS[record](resolver, name);
    return { values, ...(record === "A" || record === "AAAA" ? { address: values[0] } : {}) };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** The address of a name server, checked like any target; the machine's own name servers are not checked. */
async function addressOf(server: string, context: ProbeContext): Promise<string> {
  const { six, host = six, port = DEFAULT_PORT } = SERVER.exec(server)?.groups ?? {};
  if (host === undefined) throw new TypeError("Malformed resolver");
  const [first] = await allowedAddresses(host, context);
  const address = first?.address ?? "";
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}
