import { boot } from "../data/calls/session.ts";
import { counts } from "../data/records/counts.ts";
import { searchesOf } from "../data/searches/searches.ts";
import type { Group, PageEntry } from "../pages/page.ts";
import { Icon } from "../parts/basic/icon.tsx";
import { allPages, findPage, isOffered } from "../router/find-page.ts";
import { pathTo } from "../router/match.ts";
import { href, place } from "../router/router.ts";
import { number } from "../texts/format.ts";
import { t } from "../texts/words/frame.ts";

const GROUPS: readonly Group[] = ["main", "work", "machines", "setup", "system"];

/** Pages in the viewer's navigation. */
export const entries = (): readonly PageEntry[] => allPages().filter((entry) => !entry.isHidden && isOffered(entry));

const current = (): string | undefined => findPage(place.value.path)?.entry.name;

/** The host's logo, or ours. */
export const Mark = () =>
  boot.value?.logo ? (
    <img src={boot.value.logo} alt="" height={20} style={{ maxWidth: "8rem", objectFit: "contain" }} />
  ) : (
    <Icon name="brand" />
  );

export const Brand = () => (
  <a class="brand" href={href("/")}>
    <Mark />
    <span class="cut">{boot.value?.title}</span>
  </a>
);

function Entry({ entry }: { readonly entry: PageEntry }) {
  const count = entry.count ? counts.value[entry.count] : 0;
  return (
    <li>
      <a href={href(entry.routes[0])} aria-current={current() === entry.name ? "page" : undefined}>
        <Icon name={entry.icon} />
        {t(`page.${entry.name}`)}
        {count > 0 && <b class={entry.count === "alerts" ? "hot" : ""}>{number(count)}</b>}
      </a>
      <Saved path={entry.routes[0]} />
    </li>
  );
}

/** The viewer's saved searches, below the entry of their list. */
function Saved({ path }: { readonly path: string }) {
  const searches = searchesOf(path);
  if (searches.length === 0) return null;
  const { q, show } = place.value.query;
  const here = pathTo(place.value.path, { q, show });
  return (
    <ul class="saved">
      {searches.map(({ name, loc }) => (
        <li key={loc}>
          <a href={href(loc)} aria-current={here === loc ? "true" : undefined} title={name}>
            <span class="cut" dir="auto">
              {name}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Navigation() {
  const shown = entries();
  return (
    <nav class="side" aria-label={t("main")}>
      <Brand />
      {GROUPS.map((group) => {
        const own = shown.filter((entry) => entry.group === group);
        if (own.length === 0) return null;
        return (
          <div key={group}>
            {group !== "main" && <h3>{t(`group.${group}`)}</h3>}
            <ul>
              {own.map((entry) => (
                <Entry key={entry.name} entry={entry} />
              ))}
            </ul>
          </div>
        );
      })}
      <Links />
    </nav>
  );
}

function Links() {
  const links = boot.value?.links ?? [];
  if (links.length === 0) return null;
  return (
    <ul class="links">
      {links.map(({ title, href: address }) => (
        <li key={address}>
          <a href={address} rel="noopener noreferrer">
            <Icon name="link" />
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The first four places of a phone's bottom bar; the fifth opens everything else. */
const ON_PHONE = ["overview", "alerts", "jobs", "servers"];

export function TabBar({ onMore }: { readonly onMore: () => void }) {
  const shown = entries().filter(({ name }) => ON_PHONE.includes(name));
  return (
    <nav class="tabbar" aria-label={t("sections")}>
      {shown.map((entry) => {
        const count = entry.count === "alerts" ? counts.value.alerts : 0;
        return (
          <a key={entry.name} href={href(entry.routes[0])} aria-current={current() === entry.name ? "page" : undefined}>
            <Icon name={entry.icon} />
            {t(`page.${entry.name}`)}
            {count > 0 && <b>{number(count)}</b>}
          </a>
        );
      })}
      <button type="button" onClick={onMore}>
        <Icon name="more" />
        {t("more")}
      </button>
    </nav>
  );
}
