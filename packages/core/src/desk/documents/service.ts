import type { Cradle } from "../../kernel/container.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import { type Section, sectionsOf } from "./rules.ts";

/** The pages that are shipped with the program (docs/contract/administration.md#documents). */
export interface Manual {
  /** The text of a page. Throws `DomainError` if there is no such page. */
  page(name: string): Promise<string>;
  /** All pages, section by section. */
  sections(): Promise<readonly Section[]>;
}

const MAX_PAGES = 500;

export function createManual({ documents, log }: Pick<Cradle, "documents" | "log">): Manual {
  /** Cached, since pages only change with the version of the program. */
  let known: Promise<readonly Section[]> | undefined;

  async function readAll(): Promise<readonly Section[]> {
    const source = sourceOf();
    const names = (await source.list()).slice(0, MAX_PAGES);
    const pages = await Promise.all(names.map(async (name) => sectionsOf(name, (await source.read(name)) ?? "")));
    return pages.flat();
  }

  function sourceOf() {
    if (documents) return documents;
    throw new DomainError("admin", "conflict", "There is no documentation here: the server was started without any.");
  }

  return {
    async page(name) {
      const source = sourceOf();
      // The name must be in the list, so that it cannot refer to another file.
      const text = (await source.list()).includes(name) ? await source.read(name) : undefined;
      if (text === undefined) throw new DomainError("admin", "unknown", `Document not found: ${name}`);
      return text;
    },
    sections() {
      known ??= readAll().catch((error: unknown) => {
        known = undefined;
        if (!(error instanceof DomainError)) log.error({ error }, "The documentation could not be read");
        throw error;
      });
      return known;
    },
  };
}
