import type { ComponentType } from "preact";
import type { IconName } from "../parts/basic/icon.tsx";
import type { Params } from "../router/match.ts";
import type { frameTexts } from "../texts/words/frame.ts";

/** Sections of the navigation. */
export type Group = "main" | "work" | "machines" | "setup" | "system";

type Named<Key> = Key extends `page.${infer Name}` ? Name : never;
/** A page's name is also its text in the frame: `page.<name>`. */
export type PageName = Named<keyof typeof frameTexts>;

export interface PageProps {
  /** Parameters of the route by name (`:id` as `id`), decoded. */
  readonly params: Params;
  /** The route that matched, as listed in `routes`. */
  readonly route: string;
}

/** What a page's `index.tsx` exports. */
export interface PageModule {
  readonly Page: ComponentType<PageProps>;
}

/** Declares a page. */
export interface PageEntry {
  readonly name: PageName;
  readonly icon: IconName;
  readonly group: Group;
  /** Routes of the page; the navigation links to the first: `["/jobs", "/jobs/:id"]`. List literal segments before `:names`. */
  readonly routes: readonly [string, ...string[]];
  /** Loads the page when it is first opened: `() => import("./jobs/index.tsx")`. */
  load(): Promise<PageModule>;
  /** Privilege that the page requires; "admin" for administrators only. */
  readonly needs?: string;
  /** Left out of the navigation. */
  readonly isHidden?: boolean;
  /** Records open beside their list, which stays as it is. */
  readonly isSplit?: boolean;
  /** `g` followed by this letter opens the page. */
  readonly key?: string;
  /** Number shown beside the name, of something that a person must act on. */
  readonly count?: "alerts" | "tickets" | "jobs";
}
