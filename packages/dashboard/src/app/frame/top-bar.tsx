import { act } from "../data/calls/act.ts";
import { boot, signOut, store, viewer } from "../data/calls/session.ts";
import { connection } from "../data/live.ts";
import { Icon } from "../parts/basic/icon.tsx";
import { Menu, type MenuItem } from "../parts/basic/menu.tsx";
import { hasPage } from "../router/find-page.ts";
import { go } from "../router/router.ts";
import { LANGUAGES, type Language, language, speak } from "../texts/catalogue.ts";
import { zoneName } from "../texts/format.ts";
import { t } from "../texts/words/frame.ts";
import { crumbs } from "./crumbs.ts";
import { Brand } from "./navigation.tsx";
import { setTheme, type Theme, theme } from "./theme.ts";

export function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  const path = crumbs.value;
  return (
    <header class="top">
      {path.length < 2 ? <Brand /> : <Path />}
      <button type="button" class="find" onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" />
        <span>{t("search")}</span>
        <kbd>⌘K</kbd>
      </button>
      <Connection />
      <UserMenu />
    </header>
  );
}

const Path = () => (
  <nav class="crumbs" aria-label={t("path")}>
    {crumbs.value.map(({ title, href }, at) => [
      at > 0 && (
        <span key={`${title} line`} aria-hidden="true">
          /
        </span>
      ),
      href ? (
        <a key={title} href={href} dir="auto">
          {title}
        </a>
      ) : (
        <b key={title} class="cut" dir="auto">
          {title}
        </b>
      ),
    ])}
  </nav>
);

function Connection() {
  const state = connection.value;
  const word = state === "lost" ? t("lost") : state === "paused" ? t("paused") : t("live");
  return (
    <span class={`live is-${state}`} role="status">
      <i />
      {word}
    </span>
  );
}

const initials = (name: string): string =>
  name
    .split(/[\s._@-]+/)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase() ?? "")
    .join("");

const THEMES: readonly (readonly [Theme, "themeSystem" | "themeLight" | "themeDark"])[] = [
  ["system", "themeSystem"],
  ["light", "themeLight"],
  ["dark", "themeDark"],
];

function UserMenu() {
  const who = viewer.value;
  if (!who) return null;
  const name = who.title || who.id;
  const short = initials(name);
  const items: (MenuItem | false | null)[] = [
    hasPage("/me") && { title: t("page.me"), icon: "user" as const, run: () => go("/me") },
    null,
    ...THEMES.map(([value, key]) => ({ title: t(key), isChecked: theme.value === value, run: () => setTheme(value) })),
    null,
    ...Object.entries(LANGUAGES).map(([value, title]) => ({
      title,
      isChecked: language.value === value,
      run: async () => {
        store("language", value);
        await speak(value as Language);
      },
    })),
    boot.value?.signIn === "own" && null,
    boot.value?.signIn === "own" && {
      title: t("signOut"),
      icon: "out" as const,
      run: () => act("sign out", { run: signOut }),
    },
  ];
  return (
    <Menu kind="who" label={`${short}, ${t("account", { name })}, ${t("zone", { zone: zoneName() })}`} items={items}>
      {short}
    </Menu>
  );
}
