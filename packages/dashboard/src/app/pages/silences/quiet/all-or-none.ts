/**
 * Waits for several records to be created. If one is refused, deletes the others with `takeBack`, then rejects with the
 * refusal.
 */
export async function allOrNone<Made>(
  asked: readonly Promise<Made>[],
  takeBack: (made: Made) => Promise<unknown>,
): Promise<readonly Made[]> {
  const answers = await Promise.allSettled(asked);
  const made = answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  if (made.length < asked.length) await Promise.all(made.map(takeBack));
  return Promise.all(asked);
}
