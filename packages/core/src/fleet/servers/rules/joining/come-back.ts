/** Total entries of other nodes in the list from which a satellite picks at random; its own node has one entry. */
const OTHERS = 8;

export interface Names {
  /** Host by which the satellite reached this node; absent when it should not come back here. */
  readonly own: string | undefined;
  /** Hosts of the other nodes that accept satellites. */
  readonly others: readonly string[];
}

/**
 * Hosts that a satellite tries when its connection ends. Usually that means the end of its node, so that node is listed
 * rarely: if each of two nodes were listed once, one in eight satellites would need more than ten seconds to find the
 * other one.
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

/**
 * Yields a host for one satellite after the other, each time the node with the fewest so far. Needs at least one node.
 */
export function* emptiest(nodes: readonly Load[]): Generator<string, never> {
  const loads = nodes.map(({ host, satellites }) => ({ host, satellites }));
  for (;;) {
    const least = loads.reduce((one, two) => (two.satellites < one.satellites ? two : one));
    least.satellites += 1;
    yield least.host;
  }
}
