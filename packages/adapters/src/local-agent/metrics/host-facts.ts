import { arch, cpus, hostname, platform, release } from "node:os";
import { readNames, readText } from "./read-host.ts";

export type Facts = Readonly<Record<string, unknown>>;

/** Parses the `KEY="value"` lines of `/etc/os-release`. */
export function parseOsRelease(text: string): Record<string, string> {
  const rows = text.split("\n").map((line) => /^([A-Z_]+)=(["']?)(.*)\2$/.exec(line.trim()));
  return Object.fromEntries(rows.flatMap((row) => (row ? [[row[1] ?? "", row[3] ?? ""]] : [])));
}

/** Facts about the distribution, in the hello message and each sample. */
export async function osFacts(): Promise<Facts> {
  const found = parseOsRelease((await readText("/etc/os-release")) ?? "");
  const serial = (await readText("/etc/machine-id")) ?? "";
  return {
    platform: "Linux",
    distro: found["NAME"] ?? "",
    release: found["VERSION_ID"] ?? "",
    codename: found["VERSION_CODENAME"] ?? "",
    kernel: release(),
    arch: arch(),
    hostname: hostname(),
    fqdn: hostname(),
    codepage: "UTF-8",
    logofile: found["ID"] ?? platform(),
    serial: serial.trim(),
    build: found["BUILD_ID"] ?? "",
    servicepack: "",
    uefi: (await readNames("/sys/firmware/efi")).length > 0,
  };
}

/** Hardware facts from `/proc/cpuinfo`; fields that only x86 processors have stay empty on others. */
export function parseCpuInfo(text: string): Facts {
  const blocks = text
    .split(/\n\s*\n/)
    .map(fieldsOf)
    .filter((block) => "processor" in block);
  const first = blocks[0] ?? {};
  const of = (name: string): string => first[name] ?? "";
  const packages = new Set(blocks.map((block) => block["physical id"] ?? "0"));
  const cores = new Set(blocks.map((block) => `${block["physical id"]}/${block["core id"] ?? block["processor"]}`));
  const brand = of("model name");
  const vendor = /intel/i.test(of("vendor_id")) ? "Intel" : /amd/i.test(of("vendor_id")) ? "AMD" : of("vendor_id");
  return {
    manufacturer: vendor,
    brand: brand
      .replaceAll("(R)", "®")
      .replaceAll("(TM)", "™")
      .replace(/\s*@.*$/, "")
      .replace(/^Intel®?\s+/, "")
      .trim(),
    vendor,
    family: of("cpu family"),
    model: of("model"),
    stepping: of("stepping"),
    speed: Math.round(Number(of("cpu MHz") || 0) / 10) / 100,
    cores: blocks.length || cpus().length,
    physicalCores: cores.size || cpus().length,
    processors: packages.size || 1,
    flags: of("flags") || of("Features"),
    virtualization: /\b(vmx|svm)\b/.test(of("flags")),
  };
}

function fieldsOf(block: string): Record<string, string> {
  const rows = block.split("\n").map((line) => line.split(":"));
  return Object.fromEntries(rows.map(([name = "", ...value]) => [name.trim(), value.join(":").trim()]));
}

/** Bytes of the first processor's caches. */
export async function cpuCaches(): Promise<Record<string, number>> {
  const base = "/sys/devices/system/cpu/cpu0/cache";
  const caches: Record<string, number> = {};
  for (const name of (await readNames(base)).filter((each) => /^index\d+$/.test(each))) {
    const [level, type, size] = await Promise.all(
      ["level", "type", "size"].map(async (file) => (await readText(`${base}/${name}/${file}`))?.trim() ?? ""),
    );
    const letter = level === "1" ? (type === "Instruction" ? "i" : "d") : "";
    caches[`l${level}${letter}`] = sizeOf(size ?? "");
  }
  return caches;
}

function sizeOf(text: string): number {
  const scale: Readonly<Record<string, number>> = { K: 1024, M: 1_048_576 };
  return (Number.parseInt(text, 10) || 0) * (scale[text.slice(-1)] ?? 1);
}

const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/amazon ec2/i, "Amazon EC2"],
  [/google compute/i, "Google Compute Engine"],
  [/microsoft corporation.*virtual/i, "Hyper-V"],
  [/vmware/i, "VMware"],
  [/virtualbox/i, "VirtualBox"],
  [/xen/i, "Xen"],
  [/kvm|qemu|openstack|digitalocean|firecracker/i, "KVM"],
];

/** Vendor of the machine's virtualisation; empty on bare metal. */
export async function virtualisation(): Promise<Facts> {
  if ((await readText("/.dockerenv")) !== undefined) return { vendor: "Docker" };
  if ((await readText("/run/.containerenv")) !== undefined) return { vendor: "Podman" };
  const dmi = "/sys/class/dmi/id";
  const names = await Promise.all(["sys_vendor", "product_name"].map((file) => readText(`${dmi}/${file}`)));
  const text = names.join(" ");
  const vendor = VENDORS.find(([pattern]) => pattern.test(text))?.[1];
  return vendor ? { vendor } : {};
}
