import { Component, type ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { asError } from "../data/calls/load.ts";
import { focusPage } from "../data/focus.ts";
import type { PageModule } from "../pages/page.ts";
import { Failed } from "../parts/basic/states.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { type Found, findPage, isForOthers } from "../router/find-page.ts";
import { href, place } from "../router/router.ts";
import { t } from "../texts/words/frame.ts";
import { forgetCrumbs } from "./crumbs.ts";
import { Nothing, Refused } from "./gone.tsx";

interface SafeProps {
  readonly children: ComponentChildren;
}

/** An error boundary: a page that throws leaves the frame in place. */
class Safe extends Component<SafeProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ error });
  }
  override render() {
    const { error } = this.state;
    return error ? (
      <Failed error={asError(error)} onRetry={() => this.setState({ error: undefined })} />
    ) : (
      this.props.children
    );
  }
}

/** Addresses with the same key are one page, which stays mounted between them. */
const keyOf = ({ entry: { name, routes, isSplit }, params }: Found): string =>
  `${name} ${routes[0]} ${isSplit ? "" : (params["id"] ?? "")}`;

/** Draws the page of the address. */
export function Outlet() {
  const { path } = place.value;
  const found = findPage(path);
  const key = found ? keyOf(found) : "";
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current !== key) focusPage();
    shown.current = key;
  }, [key]);
  if (!found) return isForOthers(path) ? <Refused why={t("noRightHere")} /> : <NotFound path={path} />;
  const { entry, params, route } = found;
  return (
    <Safe key={key}>
      <Lazy
        load={entry.load}
        onMissing={forgetCrumbs}
        part={({ Page }: PageModule) => <Page params={params} route={route} />}
      />
    </Safe>
  );
}

const NotFound = ({ path }: { readonly path: string }) => (
  <Nothing title={t("notFound")} to={{ title: t("home"), href: href("/") }}>
    {t("notFoundWhy", { path })}
  </Nothing>
);
