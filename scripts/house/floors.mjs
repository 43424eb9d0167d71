/** Floors from the bottom up: each may import from the floors before it. The folder of all domains was once a single floor. */
const FLOORS = ["domains", "directory", "fleet", "work", "desk"];

/** The domain of a file, such as "desk/tickets", by its path below core's sources; undefined outside of the floors. */
export function domainOfFile(path) {
  const [floor, name, file] = path.split("/");
  return FLOORS.includes(floor) && file !== undefined ? `${floor}/${name}` : undefined;
}

const heightOf = (domain) => FLOORS.indexOf(domain.split("/")[0]);

/** Whether a domain imports from a floor above its own. */
export const goesUp = (domain, imported) => heightOf(imported) > heightOf(domain);
