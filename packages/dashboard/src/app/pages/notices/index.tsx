import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head } from "../../parts/basic/basic.tsx";
import { useNoticeNews, useReceivers, useRoutes } from "./data.ts";
import { NoticeList } from "./lists/list.tsx";
import { OnCall } from "./lists/on-call.tsx";
import { Problems } from "./lists/problems.tsx";
import { Sections } from "./sections.tsx";
import { t } from "./texts.ts";

/** Open problems, their notices, and who is on call. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const problems = useLoad("problems", (signal) => api.getProblems({ limit: 200 }, { signal }));
  useNoticeNews(problems.reload);
  const receivers = useReceivers().data.value;
  const routes = useRoutes().data.value;
  const open = problems.data.value?.list.length ?? 0;
  return (
    <>
      <Head title={open > 0 ? t("open", { n: open }) : problems.data.value ? t("noneOpen") : t("title")} />
      <Sections />
      <div class="beside">
        <div class="stack">
          <Problems problems={problems} receivers={receivers} routes={routes} />
          <NoticeList receivers={receivers} routes={routes} />
        </div>
        <div class="stack">
          <OnCall />
        </div>
      </div>
    </>
  );
}
