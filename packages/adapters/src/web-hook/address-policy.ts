import { BlockList, isIP } from "node:net";
import { effectiveAddress, type Kind, kindOf } from "./address-kinds.ts";
import type { Address } from "./addresses.ts";

/**
 * Entry of a list of targets: a kind of address (`loopback`, `private`, `link-local`, `metadata`, `multicast`, `reserved`,
 * `unspecified`), an address, a block (`10.1.0.0/16`, `fd12::/32`), a host name, or `*.` followed by a domain.
 */
export type TargetEntry = string;

/** Targets allowed besides the public internet, and the lists of an air gap, which restrict all targets. */
export interface AddressPolicy {
  readonly allow: TargetList;
  readonly airGap?: { readonly allow: TargetList; readonly refuse: TargetList } | undefined;
}

/** A list of entries, parsed in advance. */
export interface TargetList {
  readonly kinds: ReadonlySet<string>;
  /** Blocks per family, because a shared list would also match IPv4 addresses by their mapped forms. */
  readonly blocks: { readonly ipv4: BlockList; readonly ipv6: BlockList };
  readonly names: ReadonlySet<string>;
  /** ".example.com" */
  readonly domains: readonly string[];
}

const KINDS: ReadonlySet<string> = new Set<Kind>([
  "loopback",
  "private",
  "link-local",
  "metadata",
  "multicast",
  "reserved",
  "unspecified",
]);
const NAME = /^(?:\*\.)?[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/;

/** Parses entries. Throws `TypeError` with the first malformed one. */
export function parseTargets(entries: readonly TargetEntry[]): TargetList {
  const kinds = new Set<string>();
  const blocks = { ipv4: new BlockList(), ipv6: new BlockList() };
  const names = new Set<string>();
  const domains: string[] = [];
  for (const entry of entries) {
    const text = entry.trim().toLowerCase();
    if (KINDS.has(text)) kinds.add(text);
    else if (isBlock(text)) addBlock(blocks, text);
    // A resolver takes digits and dots for an address, so a mistyped address must not count as a name.
    else if (!NAME.test(text) || /^[\d.]+$/.test(text)) throw new TypeError(`Malformed web hook target: ${entry}`);
    else if (text.startsWith("*.")) domains.push(bareName(text.slice(1)));
    else names.add(bareName(text));
  }
  return { kinds, blocks, names, domains };
}

function isBlock(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes("%")) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

function addBlock(blocks: TargetList["blocks"], text: string): void {
  const [address = "", bits] = text.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (bits === undefined) blocks[family].addAddress(address, family);
  else blocks[family].addSubnet(address, Number(bits), family);
}

const bareName = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** The reason why an address must not be connected to. */
export type Refusal = Kind | "outside of the air gap";

/**
 * Checks one address to which `hostname` resolved; undefined = it may be connected to.
 *
 * Public addresses are allowed. All others are refused unless the list names their kind, their block or the host. A host name
 * does not allow metadata and link-local addresses, because the owner of the name could point it there.
 */
export function judgeAddress(address: Address, policy: AddressPolicy, hostname = ""): Refusal | undefined {
  const actual = effectiveAddress(address);
  const target = { actual, name: bareName(hostname), kind: kindOf(actual) };
  if (target.kind !== undefined && !isOpened(target.kind, target, policy.allow)) return target.kind;
  const { airGap } = policy;
  if (!airGap) return undefined;
  const isInside = names(airGap.allow, target) && !names(airGap.refuse, target);
  return isInside ? undefined : "outside of the air gap";
}

export const refused = ({ address }: Address, host: string, refusal: Refusal): TypeError =>
  new TypeError(`Address is not allowed: ${address} (${host}: ${refusal})`);

interface Target {
  readonly actual: Address;
  readonly name: string;
  readonly kind: Kind | undefined;
}

function isOpened(kind: Kind, target: Target, list: TargetList): boolean {
  if (list.kinds.has(kind) || namesAddress(list, target)) return true;
  return kind !== "metadata" && kind !== "link-local" && namesHost(list, target);
}

const names = (list: TargetList, target: Target): boolean =>
  (target.kind !== undefined && list.kinds.has(target.kind)) || namesAddress(list, target) || namesHost(list, target);

function namesAddress({ blocks }: TargetList, { actual: { address, family } }: Target): boolean {
  const type = family === 6 ? "ipv6" : "ipv4";
  return blocks[type].check(address, type);
}

const namesHost = (list: TargetList, { name }: Target): boolean =>
  name !== "" && (list.names.has(name) || list.domains.some((domain) => name.endsWith(domain)));
