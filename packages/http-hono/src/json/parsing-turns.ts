import { setImmediate as inNextTurn } from "node:timers";

/** Characters parsed in one turn of the event loop, for all callers together: a millisecond or two at worst. */
export const CHARACTERS_PER_TURN = 65_536;

/**
 * Shares turns of the event loop among all bodies of one router that are not small. Otherwise, twenty strangers whose bodies
 * arrive together would block the loop for twenty times as long as one.
 */
export interface ParsingTurns {
  /** Resolves in the first turn, the current one included, with room for so many characters; first come, first served. */
  take(characters: number): Promise<void>;
}

interface Waiting {
  readonly characters: number;
  readonly resolve: () => void;
}

/** Turns for parsing. The body pool bounds how many wait. */
export function createParsingTurns(perTurn = CHARACTERS_PER_TURN): ParsingTurns {
  const waiting: Waiting[] = [];
  let spent = 0;
  const spend = (characters: number): void => {
    if (spent === 0) inNextTurn(renew);
    spent += characters;
  };
  const renew = (): void => {
    spent = 0;
    for (let next = waiting[0]; next && hasRoom(next.characters); next = waiting[0]) {
      waiting.shift();
      spend(next.characters);
      next.resolve();
    }
  };
  // A text that is longer than a turn gets a turn to itself.
  const hasRoom = (characters: number): boolean => spent === 0 || spent + characters <= perTurn;
  return {
    async take(characters) {
      if (waiting.length === 0 && hasRoom(characters)) spend(characters);
      else await new Promise<void>((resolve) => waiting.push({ characters, resolve }));
    },
  };
}
