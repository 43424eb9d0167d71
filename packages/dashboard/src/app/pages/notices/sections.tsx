import { Tabs } from "../../parts/basic/basic.tsx";
import { href, place } from "../../router/router.ts";
import { t } from "./texts.ts";

const SECTIONS = [
  ["/notices", "notices"],
  ["/notices/routes", "routes"],
  ["/notices/receivers", "receivers"],
  ["/notices/rotas", "rotas"],
] as const;

/** Tabs between notices, routes, receivers and rotas, which share one page. */
export const Sections = () => (
  <Tabs
    label={t("sections")}
    items={SECTIONS.map(([path, name]) => ({
      href: href(path),
      title: t(name),
      isCurrent: place.value.path === path,
    }))}
  />
);
