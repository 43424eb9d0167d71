import { useCrumbs } from "../../frame/crumbs.ts";
import { Head } from "../../parts/basic/basic.tsx";
import { Finished } from "./finished/finished.tsx";
import { Running } from "./running.tsx";
import { t } from "./texts.ts";

/** Active and finished jobs. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  return (
    <>
      <Head title={t("title")} />
      <div class="stack">
        <Running />
        <Finished />
      </div>
    </>
  );
}
