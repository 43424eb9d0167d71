const asked = process.env["SIGNALBOX_KILLS"] ?? "5";

/**
 * The storages that a story is played on: the usual one in `npm test`, all in `npm run soak`. The usual one differs between
 * stories, so that each run kills on SQLite and on PostgreSQL.
 */
export function toldOn<Name extends string, Open>(
  storages: Readonly<Record<Name, Open>>,
  usual: NoInfer<Name>,
): (readonly [Name, Open])[] {
  const all = Object.entries(storages) as [Name, Open][];
  return asked === "whole" ? all : all.filter(([name]) => name === usual);
}

/** Size of another part of a story: `whole` in `npm run soak` with its many kills, `few` in `npm test`. */
export const beside = (kills: number, few: number, whole: number): number => (kills > 5 ? whole : few);

/**
 * Number of times that a story kills its process: five in `npm test`, since each kill costs a process start, and `whole` in `npm
 * run soak`. `SIGNALBOX_KILLS` is a number or `whole`.
 */
export function killsOf(whole: number): number {
  const kills = asked === "whole" ? whole : Number(asked);
  if (!(Number.isInteger(kills) && kills >= 1))
    throw new Error(`SIGNALBOX_KILLS must be "whole" or a number, not ${asked}`);
  return kills;
}
