import { computed, signal } from "@preact/signals";
import { type Api, createClient, SignalboxError } from "@signalbox/client";
import { giveUpEntries } from "../../router/entries.ts";
import { LANGUAGES, type Language, language, speak } from "../../texts/catalogue.ts";
import { now, timeZone } from "../../texts/format.ts";
import { type Boot, base, fetchBoot, type Viewer } from "./boot.ts";

/** The server's first answer; undefined until it has come. */
export const boot = signal<Boot | undefined>(undefined);
export const viewer = computed<Viewer | undefined>(() => boot.value?.viewer);
/** True after the session has ended while the page stays open, with its unsaved entries, until its owner signs in again. */
export const hasEnded = signal(false);
/** Seconds by which the server's clock is ahead of the browser's. */
let ahead = 0;

/** Counts calls refused for their session: it has ended, or the browser has another one now. */
export const refusals = signal(0);

async function ask(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  // A response that is not JSON comes from a proxy, not from this server.
  const read = (): Promise<{ readonly code?: unknown } | undefined> =>
    response
      .clone()
      .json()
      .catch(() => undefined);
  if (response.status === 403 && (await read())?.code === "session") refusals.value += 1;
  return response;
}

export const client = createClient({ url: `${base}/api`, fetch: ask });
/** Every operation of the server, typed: `await api.getJob({ id })`. Rejects with a `SignalboxError`. */
export const api: Api = client.api;

/** True when the viewer has a privilege and changes are allowed here. Administrators have all privileges; everybody has "". */
export function can(privilege: string): boolean {
  if (boot.value?.readOnly) return false;
  const privileges = viewer.value?.privileges;
  if (privileges === undefined) return false;
  // Routes apply to all servers, so a viewer limited to some groups may not write them.
  if (privilege === "manage_routes" && isLimitedTo("groups")) return false;
  return privilege === "" || privileges["admin"] === true || privileges[privilege] === true;
}

/** True for administrators, even when the dashboard is read-only. */
export const isAdmin = (): boolean => viewer.value?.privileges["admin"] === true;
type Reach = "categories" | "groups";
const isLimitedTo = (name: Reach): boolean => {
  const named = viewer.value?.[name] ?? [];
  return !isAdmin() && named.length > 0 && !named.includes("*");
};
/** True when the viewer is not limited, or their reach contains one of these. */
export const reaches = (name: Reach, ids: readonly string[]): boolean =>
  !isLimitedTo(name) || ids.some((id) => viewer.value?.[name].includes(id));
/** True for viewers with a reach of some categories or groups. */
export const isLimited = (): boolean => isLimitedTo("categories") || isLimitedTo("groups");

/**
 * Key in the browser's storage by which other windows of this dashboard learn who has signed in. It contains the mount path: two
 * dashboards on one host that shared a key would make each other ask without end.
 */
export const SIGNED_IN = `viewer ${base}`;

export const start = async (): Promise<void> => take(await fetchBoot());

/** Adopts an answer of the server: its clock, zone, language and viewer. */
export async function take(answer: Boot): Promise<void> {
  ahead = answer.now - Date.now() / 1000;
  now.value = answer.now;
  client.useCsrfToken(answer.csrfToken ?? "");
  timeZone.value = [answer.timeZone, stored("timezone"), answer.account?.["timezone"]].find(isZone) ?? timeZone.value;
  document.title = answer.title;
  await speak(preferredLanguage(answer.account));
  boot.value = answer;
  const { kind, id } = answer.viewer ?? {};
  store(SIGNED_IN, kind === undefined ? "" : `${kind} ${id}`);
}

export const tick = (): void => {
  now.value = Date.now() / 1000 + ahead;
};

/** Rejects with the code "cookie" if the browser does not send the new session back. */
export async function signIn(username: string, password: string): Promise<void> {
  await api.userLogin({ username, password });
  await start();
  if (!boot.peek()?.csrfToken) throw new SignalboxError("cookie", "The session did not come back");
}

export async function signOut(): Promise<void> {
  await api.userLogout({});
  // Loads the page again, so that nothing of the account stays in memory.
  giveUpEntries();
  location.assign(`${base}/`);
}

function preferredLanguage(account: Boot["account"]): Language {
  const wanted = [stored("language"), account?.["language"], ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const found = wanted.find((tag) => typeof tag === "string" && Object.hasOwn(LANGUAGES, tag));
  return (found as Language | undefined) ?? language.value;
}

/** True for a zone that this browser knows. Zones come from the host, the browser's storage and the account. */
function isZone(zone: unknown): zone is string {
  if (typeof zone !== "string" || !zone) return false;
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
  } catch {
    // Another browser, or an older record, may know a zone that this one does not.
    return false;
  }
}

/** A setting kept in this browser: theme, language, density. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`signalbox.${name}`);
  } catch {
    // Access to the storage is blocked, so there are no settings.
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`signalbox.${name}`, value);
  } catch {
    // Access to the storage is blocked: the setting lasts as long as the page.
  }
}
