/** Everyday work before anything is measured. */
import type { Stage } from "./attack.ts";

/** Calls to make; the short form's bound on memory allows for a young generation that has not reached its full size. */
const CALLS = { short: 60, long: 12_000 };
const AT_ONCE = 24;
const NOTES = "Everyday notes. ".repeat(1000);

/**
 * Warms up the memory of the idle server as if it had worked: only then does V8 give its young generation the full size, and
 * the cost of an attack is counted from there.
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
