import { setImmediate as inNextTurn } from "node:timers";

/** Characters that are parsed in one turn of the loop, of all callers together: a millisecond or two at worst. */
export const CHARACTERS_PER_TURN = 65_536;

/**
 * Shares the turns of the loop among all bodies of one router that are not small. Without it, twenty strangers whose
 * bodies come at once hold the loop twenty times as long as one does.
 */
export interface ParsingTurns {
  /** Resolves in the first turn that has room for so many characters, this one included; first come, first served. */
  take(characters: number): Promise<void>;
}

interface Waiting {
  readonly characters: number;
  readonly resolve: () => void;
}

/** Turns for parsing. The pool of bodies bounds the number that wait. */
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
  // A text that is longer than a turn has one to itself.
  const hasRoom = (characters: number): boolean => spent === 0 || spent + characters <= perTurn;
  return {
    async take(characters) {
      if (waiting.length === 0 && hasRoom(characters)) spend(characters);
      else await new Promise<void>((resolve) => waiting.push({ characters, resolve }));
    },
  };
}
