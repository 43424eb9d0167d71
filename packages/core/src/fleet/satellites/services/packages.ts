import type { Cradle } from "../../../kernel/container.ts";

/** A package of the agent: its stored content, or the URL where it is published. */
export type Package =
  | { readonly kind: "stored"; readonly sizeBytes: number; readonly content: AsyncIterable<Uint8Array> }
  | { readonly kind: "elsewhere"; readonly url: string };

export interface PackageName {
  readonly release: string;
  /** "satellite-linux-x64.tar.gz" */
  readonly file: string;
}

/** Packages of the agent, from the blob store or else from the URL where they are published. */
export interface Packages {
  /** Undefined when there is no such package. */
  find(name: PackageName): Promise<Package | undefined>;
}

/** Key in the blob store. */
const packageKey = ({ release, file }: PackageName): string => `satellite/${release}/${file}`;

export function createPackages({ clock, config, files }: Pick<Cradle, "clock" | "config" | "files">): Packages {
  return {
    async find(name) {
      const { base_url: base, cache_ttl: ttl } = config.satellite;
      const stored = await files.get(packageKey(name));
      // Without a URL to fetch from, an old copy is better than none.
      const isUsable = stored && (base === "" || clock.now() - stored.modified < ttl);
      if (isUsable) return { kind: "stored", sizeBytes: stored.sizeBytes, content: stored.content };
      return base === "" ? undefined : { kind: "elsewhere", url: publishedAt(base, name) };
    },
  };
}

function publishedAt(base: string, { release, file }: PackageName): string {
  const folder = release === "latest" ? "latest/download" : `download/${release}`;
  return `${base.replace(/\/+$/, "")}/${folder}/${file}`;
}
