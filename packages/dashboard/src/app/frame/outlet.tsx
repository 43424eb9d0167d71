import { Component, type ComponentChildren, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asError } from "../data/load.ts";
import type { PageModule } from "../pages/page.ts";
import { Head } from "../parts/basic.tsx";
import { Empty, Failed, Outline } from "../parts/states.tsx";
import { findPage } from "../router/find-page.ts";
import { href, place } from "../router/router.ts";
import { t } from "../texts/frame.ts";

interface LazyProps<Module> {
  readonly load: () => Promise<Module>;
  readonly part: (module: Module) => JSX.Element;
}

/** A part that is loaded when it is first shown. */
export function Lazy<Module>({ load, part }: LazyProps<Module>) {
  const [found, setFound] = useState<{ readonly module?: Module; readonly error?: unknown }>({});
  useEffect(() => {
    let isHere = true;
    load().then(
      (module) => isHere && setFound({ module }),
      (error: unknown) => isHere && setFound({ error }),
    );
    return () => {
      isHere = false;
    };
  }, [load]);
  if (found.module) return part(found.module);
  if (found.error) return <Failed error={asError(found.error)} onRetry={() => location.reload()} />;
  return <Outline rows={8} />;
}

interface SafeProps {
  readonly children: ComponentChildren;
}

/** A fault of one page never takes the frame. */
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

/** The page of the address. */
export function Outlet() {
  const { path } = place.value;
  const found = findPage(path);
  if (!found) return <NotFound path={path} />;
  const { entry, params, route } = found;
  return (
    <Safe key={`${entry.name} ${entry.routes[0]} ${params["id"] ?? ""}`}>
      <Lazy load={entry.load} part={({ Page }: PageModule) => <Page params={params} route={route} />} />
    </Safe>
  );
}

const NotFound = ({ path }: { readonly path: string }) => (
  <>
    <Head title={t("notFound")} />
    <section class="panel" aria-label={t("notFound")}>
      <Empty
        action={
          <a class="btn" href={href("/")}>
            {t("home")}
          </a>
        }
      >
        {t("notFoundWhy", { path })}
      </Empty>
    </section>
  </>
);
