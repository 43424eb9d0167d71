/** Everyday work before anything is measured. */
import type { Stage } from "./attack.ts";

/** The bound of the short form on memory has room for a young generation that is not at its full size. */
const CALLS = { short: 60, long: 12_000 };
const AT_ONCE = 24;
const NOTES = "Everyday notes. ".repeat(1000);

/**
 * The memory of an idle server is that of one that has worked: the engine of JavaScript gives its young generation the
 * full size only then, and the cost of an attack is counted from there.
 */
export async function warmUp({ api }: Pick<Stage, "api">, { short }: { readonly short: boolean }): Promise<void> {
  let left = short ? CALLS.short : CALLS.long;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const { tag } = (await api("create_tag", { title: "Everyday", notes: NOTES })) as { tag: { id: string } };
      await api("get_multiple", { lists: "events,tags,categories" });
      await api("delete_tag", { id: tag.id });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
