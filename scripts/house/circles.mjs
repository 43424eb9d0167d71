/** Size of the largest set of nodes that all reach each other; 0 = no circles. Edges are pairs. */
export function largestCircle(edges) {
  const next = new Map();
  const before = new Map();
  for (const [from, to] of edges) {
    if (from === to) continue;
    add(next, from, to);
    add(before, to, from);
  }
  const order = [];
  const seen = new Set();
  for (const node of next.keys()) visit(node, next, seen, (done) => order.push(done));
  const taken = new Set();
  let largest = 0;
  for (const node of order.reverse()) {
    let size = 0;
    visit(node, before, taken, () => {
      size += 1;
    });
    if (size > 1) largest = Math.max(largest, size);
  }
  return largest;
}

function add(map, from, to) {
  const list = map.get(from) ?? [];
  list.push(to);
  map.set(from, list);
}

/**
 * Depth-first search without recursion, because a chain of imports may be long. Calls `tell` for each node once everything behind
 * it is done.
 */
function visit(start, next, seen, tell) {
  if (seen.has(start)) return;
  seen.add(start);
  const open = [{ node: start, at: 0 }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const target = next.get(top.node)?.[top.at++];
    if (target === undefined) {
      open.pop();
      tell(top.node);
    } else if (!seen.has(target)) {
      seen.add(target);
      open.push({ node: target, at: 0 });
    }
  }
}
