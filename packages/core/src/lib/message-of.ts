/** The text of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The text of what `work` throws; undefined when it comes to its end. */
export function faultOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
