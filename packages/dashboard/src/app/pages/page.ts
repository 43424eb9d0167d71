import type { ComponentType } from "preact";
import type { IconName } from "../parts/basic/icon.tsx";
import type { Params } from "../router/match.ts";
import type { frameTexts } from "../texts/words/frame.ts";

/** Sections of the navigation. */
export type Group = "main" | "work" | "machines" | "setup" | "system";

type Named<Key> = Key extends `page.${infer Name}` ? Name : never;
/** Pages have their name in the texts of the frame: `page.<name>`. */
export type PageName = Named<keyof typeof frameTexts>;

export interface PageProps {
  /** Parameters of the route by name, `:id` as `id`, decoded. */
  readonly params: Params;
  /** The route that fitted, as the entry lists it. */
  readonly route: string;
}

/** Exports of a page's folder, from `index.tsx`. */
export interface PageModule {
  readonly Page: ComponentType<PageProps>;
}

/** Declaration of a page. */
export interface PageEntry {
  readonly name: PageName;
  readonly icon: IconName;
  readonly group: Group;
  /** Addresses that it answers, the first one being that of the navigation: `["/jobs", "/jobs/:id"]`. Words before `:names`. */
  readonly routes: readonly [string, ...string[]];
  /** Loaded when it is opened: `() => import("./jobs/index.tsx")`. */
  load(): Promise<PageModule>;
  /** Privilege without which it is not offered; "admin" for administrators alone. */
  readonly needs?: string;
  /** Not in the navigation. */
  readonly isHidden?: boolean;
  /** Its records open beside its list, which stays as it is. */
  readonly isSplit?: boolean;
  /** `g` and then this letter open it. */
  readonly key?: string;
  /** Count beside the name, by what the frame keeps: only where a person must act. */
  readonly count?: "alerts" | "tickets" | "jobs";
}
