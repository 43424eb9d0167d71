/** Hashes a name to a number from 0 to `count` − 1, to spread periodic work of many things over time. */
export function placeOf(name: string, count: number): number {
  let place = 0;
  for (let at = 0; at < name.length; at++) place = (place * 31 + name.charCodeAt(at)) % count;
  return place;
}
