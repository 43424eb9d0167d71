interface Page {
  readonly name: string;
  readonly members: URLSearchParams;
}

/** `Ticket?id=t1`, with or without a leading `#`. */
function pageOf(loc: string): Page {
  const [name = "", query = ""] = loc.replace(/^#/, "").split("?");
  return { name, members: new URLSearchParams(query) };
}

/** Maximum pages that one stream can follow: a browser with several windows uses one stream for all of them. */
export const MAX_PAGES = 20;

/** Pages of a list with one page per line. */
export const pagesOf = (loc = ""): readonly string[] => [...new Set(loc.split("\n").filter((page) => page !== ""))];

/** True if `loc` is the target's page and has every member of the target's query (docs/contract/live.md#the-channel). */
export function isOnPage(loc: string, target: string): boolean {
  const [here, there] = [pageOf(loc), pageOf(target)];
  return here.name === there.name && [...there.members].every(([name, value]) => here.members.get(name) === value);
}

/** The job that a subscriber looks at; undefined if the page shows none, or the id is malformed. */
export function jobOfPage(loc: string): string | undefined {
  const { name, members } = pageOf(loc);
  const id = members.get("id") ?? "";
  return name === "Job" && /^\w{1,64}$/.test(id) ? id : undefined;
}

/** A page with the newest readings of a group. */
export interface ReadingsPage {
  /** The page in the subscriber's own words. */
  readonly loc: string;
  readonly group: string;
  /** Ids of quick monitors; undefined = all. */
  readonly monitors: readonly string[] | undefined;
}

/** The readings that a subscriber looks at: `Readings?group=main&monitors=_qm_cpu_usage,_qm_cpu_load`. */
export function readingsOfPage(loc: string): ReadingsPage | undefined {
  const { name, members } = pageOf(loc);
  const group = members.get("group");
  if (name !== "Readings" || !group) return undefined;
  return { loc, group, monitors: members.get("monitors")?.split(",") };
}

/** A page of a server, or of the servers of a group. */
export interface MachinePage {
  /** The page in the subscriber's own words. */
  readonly loc: string;
  readonly list: "Servers" | "Groups";
  readonly id: string;
}

/** The servers that a subscriber looks at: `Servers?id=<id>`, `Groups?id=<id>`. */
function machinesOfPage(loc: string): MachinePage | undefined {
  const { name, members } = pageOf(loc);
  const id = members.get("id");
  return id && (name === "Servers" || name === "Groups") ? { loc, list: name, id } : undefined;
}

/** The pages that a subscriber looks at, with the jobs, servers and readings shown on them. */
interface Places {
  readonly pages: readonly string[];
  /** Jobs whose pages are among them. */
  readonly jobs: readonly string[];
  /** Pages of servers and groups among them. */
  readonly machines: readonly MachinePage[];
  /** Pages of readings among them. */
  readonly readings: readonly ReadingsPage[];
}

export const placesOf = (pages: readonly string[]): Places => ({
  pages,
  jobs: [...new Set(pages.flatMap((page) => jobOfPage(page) ?? []))],
  machines: pages.flatMap((page) => machinesOfPage(page) ?? []),
  readings: pages.flatMap((page) => readingsOfPage(page) ?? []),
});

const BULK_PAGES: Readonly<Record<string, string>> = {
  jobs: "Search",
  tickets: "Tickets",
  alerts: "Alerts",
  snapshots: "Snapshots",
};

/** The page that lists the kind of records that a bulk deletion removes. */
export const bulkPage = (list: string): string | undefined =>
  Object.hasOwn(BULK_PAGES, list) ? BULK_PAGES[list] : undefined;
