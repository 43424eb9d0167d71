/** Floors from below: one may import from the ones before it. The folder of all domains was one floor once. */
const FLOORS = ["domains", "directory", "fleet", "work", "desk"];

/** The domain of a file, by its path below the sources of core: "desk/tickets"; undefined outside of the floors. */
export function domainOfFile(path) {
  const [floor, name, file] = path.split("/");
  return FLOORS.includes(floor) && file !== undefined ? `${floor}/${name}` : undefined;
}

const heightOf = (domain) => FLOORS.indexOf(domain.split("/")[0]);

/** Whether a domain imports from a floor above its own. */
export const goesUp = (domain, imported) => heightOf(imported) > heightOf(domain);
