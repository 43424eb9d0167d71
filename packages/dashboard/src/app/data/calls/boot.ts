/** The viewer. The server checks rights at each call; this record only decides which deeds the pages offer. */
export interface Viewer {
  readonly kind: "user" | "host" | "key" | string;
  readonly id: string;
  readonly title: string;
  readonly privileges: Readonly<Record<string, true>>;
  readonly categories: readonly string[];
  readonly groups: readonly string[];
}

/** The content of `boot.json`. */
export interface Boot {
  readonly title: string;
  readonly logo?: string;
  readonly readOnly: boolean;
  readonly links: readonly { readonly title: string; readonly href: string }[];
  /** False for sections that the host has switched off. */
  readonly pages: Readonly<Record<string, boolean>>;
  readonly timeZone?: string;
  readonly signIn: "host" | "own";
  readonly viewer?: Viewer;
  readonly csrfToken?: string;
  /** The account's record, with its preferences. */
  readonly account?: Readonly<Record<string, unknown>>;
  /** Id of the newest update at the time of the answer. */
  readonly lastId?: string;
  /** Unix seconds by the server's clock. */
  readonly now: number;
}

/** The mount point, without a slash at the end. Scripts are served from `<base>/assets/`. */
export const base = new URL(/* @vite-ignore */ ".", import.meta.url).pathname.replace(/\/assets\/$/, "");

export async function fetchBoot(): Promise<Boot> {
  const response = await fetch(`${base}/boot.json`, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  return (await response.json()) as Boot;
}
