/** A number from 0 to below `count` that a name always has, so that what many do at intervals is not done at once. */
export function placeOf(name: string, count: number): number {
  let place = 0;
  for (let at = 0; at < name.length; at++) place = (place * 31 + name.charCodeAt(at)) % count;
  return place;
}
