import { computed, signal } from "@preact/signals";
import { type Api, createClient } from "@signalbox/client";
import { giveUpEntries } from "../../router/entries.ts";
import { LANGUAGES, type Language, language, speak } from "../../texts/catalogue.ts";
import { now, timeZone } from "../../texts/format.ts";
import { type Boot, base, fetchBoot, type Viewer } from "./boot.ts";

/** The server's first answer; undefined until it is there. */
export const boot = signal<Boot | undefined>(undefined);
export const viewer = computed<Viewer | undefined>(() => boot.value?.viewer);
/** True while the session has ended and the page stays, with its entries, until its owner signs in again. */
export const hasEnded = signal(false);
/** Seconds by which the server's clock is ahead of the browser's. */
let ahead = 0;

/** Calls that were refused for their session: it has ended, or the browser has another one by now. */
export const refusals = signal(0);

async function ask(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  // The page of a proxy is no answer of ours.
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

/** True when the viewer has a privilege and changes are allowed here. Administrators have all; "" is what everybody has. */
export function can(privilege: string): boolean {
  if (boot.value?.readOnly) return false;
  const privileges = viewer.value?.privileges;
  if (privileges === undefined) return false;
  // Routes are for all servers, so a viewer limited to some writes none of them.
  if (privilege === "manage_routes" && isLimitedTo("groups")) return false;
  return privilege === "" || privileges["admin"] === true || privileges[privilege] === true;
}

/** True for administrators, also where nothing may be changed. */
export const isAdmin = (): boolean => viewer.value?.privileges["admin"] === true;
type Reach = "categories" | "groups";
const isLimitedTo = (name: Reach): boolean => {
  const named = viewer.value?.[name] ?? [];
  return !isAdmin() && named.length > 0 && !named.includes("*");
};
/** True where the viewer is not limited, or one of these is named. */
export const reaches = (name: Reach, ids: readonly string[]): boolean =>
  !isLimitedTo(name) || ids.some((id) => viewer.value?.[name].includes(id));
/** True for a viewer limited to some categories or groups. */
export const isLimited = (): boolean => isLimitedTo("categories") || isLimitedTo("groups");

/**
 * The name of the choice by which other windows of this dashboard hear who has signed in. One at another path of the same
 * host has its own: windows of the two would ask in turns without end.
 */
export const SIGNED_IN = `viewer ${base}`;

export const start = async (): Promise<void> => take(await fetchBoot());

/** Goes on with this answer of the server. */
export async function take(answer: Boot): Promise<void> {
  ahead = answer.now - Date.now() / 1000;
  now.value = answer.now;
  client.useCsrfToken(answer.csrfToken ?? "");
  timeZone.value = [answer.timeZone, stored("timezone"), answer.account?.["timezone"]].find(isZone) ?? timeZone.value;
  document.title = answer.title;
  await speak(preferredLanguage(answer.account));
  boot.value = answer;
  if (answer.viewer) store(SIGNED_IN, `${answer.viewer.kind} ${answer.viewer.id}`);
}

export const tick = (): void => {
  now.value = Date.now() / 1000 + ahead;
};

export async function signIn(username: string, password: string): Promise<void> {
  await api.userLogin({ username, password });
  await start();
}

export async function signOut(): Promise<void> {
  await api.userLogout({});
  // Nothing of the person who leaves stays in memory.
  giveUpEntries();
  store(SIGNED_IN, "");
  location.assign(`${base}/`);
}

function preferredLanguage(account: Boot["account"]): Language {
  const wanted = [stored("language"), account?.["language"], ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const found = wanted.find((tag) => typeof tag === "string" && Object.hasOwn(LANGUAGES, tag));
  return (found as Language | undefined) ?? language.value;
}

/** True for a zone that this browser knows: of the host, of this browser, of the account. */
function isZone(zone: unknown): zone is string {
  if (typeof zone !== "string" || !zone) return false;
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
  } catch {
    // A name that another browser or an older record knows.
    return false;
  }
}

/** A choice of this browser: theme, language, density. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`signalbox.${name}`);
  } catch {
    // A browser that keeps nothing has no choices.
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`signalbox.${name}`, value);
  } catch {
    // The choice lasts as long as the page then.
  }
}
