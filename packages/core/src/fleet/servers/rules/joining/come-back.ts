/** Entries of all other nodes together in the list that a satellite picks from at random; its own node has one. */
const OTHERS = 8;

export interface Names {
  /** Host by which the satellite reached this node; absent when it may not come back here. */
  readonly own: string | undefined;
  /** The other nodes that take satellites. */
  readonly others: readonly string[];
}

/**
 * Hosts that a satellite tries when its connection ends. Most often that is the end of its node, so this one is rare: with
 * two nodes named once each, one satellite in eight would need more than ten seconds to find the other.
 */
export function comeBackHosts({ own, others }: Names): string[] {
  const names = [...new Set(others)].filter((name) => name !== own);
  const times = Math.max(1, Math.round(OTHERS / names.length));
  const rest = names.flatMap((name) => Array.from({ length: times }, () => name));
  return own === undefined ? rest : [own, ...rest];
}

interface Load {
  readonly host: string;
  readonly satellites: number;
}

/** Hosts for one satellite after the other: each time the node with the fewest by then. Needs one node at least. */
export function* emptiest(nodes: readonly Load[]): Generator<string, never> {
  const loads = nodes.map(({ host, satellites }) => ({ host, satellites }));
  for (;;) {
    const least = loads.reduce((one, two) => (two.satellites < one.satellites ? two : one));
    least.satellites += 1;
    yield least.host;
  }
}
