import type { NetworkInterfaceInfo } from "node:os";
import { inSlices, readNow, readText } from "../read-host.ts";
import { type NetworkRates, parseDefaultInterface } from "./network-counters.ts";

export type InterfaceTable = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const MAX_INTERFACES = 1024;

/** `interfaces` of the sample: addresses of the system, link facts from `/sys/class/net`, counters with rates. */
export async function describeInterfaces(
  addresses: NodeJS.Dict<NetworkInterfaceInfo[]>,
  rates: ReadonlyMap<string, NetworkRates>,
  { ms }: { ms: number },
): Promise<InterfaceTable> {
  const preferred = parseDefaultInterface(readNow("/proc/net/route"));
  const names = [...rates.keys()].slice(0, MAX_INTERFACES);
  const rows = await inSlices(names, 16, async (name) => {
    const link = await linkFacts(name);
    const row = {
      iface: name,
      ifaceName: name,
      default: name === preferred,
      ...addressFacts(addresses[name] ?? []),
      ...link,
    };
    return [name, { ...row, ...rates.get(name), ms }] as const;
  });
  return Object.fromEntries(rows);
}

export function addressFacts(entries: readonly NetworkInterfaceInfo[]): Record<string, unknown> {
  const v4 = entries.find(({ family }) => family === "IPv4");
  const v6 = entries.find(({ family }) => family === "IPv6");
  return {
    ip4: v4?.address ?? "",
    ip4subnet: v4?.netmask ?? "",
    ip6: v6?.address ?? "",
    ip6subnet: v6?.netmask ?? "",
    mac: entries[0]?.mac ?? "",
    internal: entries[0]?.internal ?? false,
  };
}

async function linkFacts(name: string): Promise<Record<string, unknown>> {
  const folder = `/sys/class/net/${name}`;
  const read = (file: string): string => readNow(`${folder}/${file}`).trim();
  // Reading these two files waits for a lock of the kernel, and may query the device, so they are not read synchronously.
  const [duplex, speed] = await Promise.all(["duplex", "speed"].map((file) => readText(`${folder}/${file}`)));
  const type = read("type");
  const loopback = type === "772";
  return {
    virtual: /^(docker|br-|veth|virbr|vnet|ifb|cali|flannel|cni|dummy|tun|tap)/.test(name),
    operstate: read("operstate") || "unknown",
    type: loopback ? "virtual" : read("wireless/status") === "" ? "wired" : "wireless",
    duplex: duplex?.trim() ?? "",
    mtu: Number(read("mtu")) || 0,
    // The kernel reports -1 or nothing for a link without a speed.
    speed: Number(speed) > 0 ? Number(speed) : null,
    carrierChanges: Number(read("carrier_changes")) || 0,
  };
}
