import { useSignal } from "@preact/signals";
import { isOver } from "../../data/job-state.ts";
import { useKeys } from "../../data/keys.ts";
import { client } from "../../data/session.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Outline } from "../../parts/states.tsx";
import type { ShownJob } from "./index.tsx";
import type { JobLog } from "./job-log.ts";
import { countOf } from "./log-lines.ts";
import { LogView } from "./log-view.tsx";
import { t } from "./texts.ts";

interface LogPanelProps {
  readonly log: JobLog;
  readonly job: ShownJob;
  readonly token: string;
  readonly title: string;
}

/** The log with its tools. */
export function LogPanel({ log, job, token, title }: LogPanelProps) {
  const isFollowing = useSignal(!isOver(job));
  useKeys({
    f: () => {
      isFollowing.value = !isFollowing.value;
    },
  });
  const text = log.text.value;
  const count = countOf(text);
  const name = t("logOf", { name: title });
  return (
    <section class="panel log" aria-label={t("log")}>
      <div class="logbar">
        <Button
          kind="bare"
          icon="follow"
          isPressed={isFollowing.value}
          onClick={() => {
            isFollowing.value = !isFollowing.value;
          }}
        >
          {t("follow")}
        </Button>
        <span class="grow" />
        <a class="btn bare" href={client.href("download_job_log", { id: job.id, t: token })} download>
          <Icon name="dl" />
          {t("download")}
        </a>
      </div>
      {count === 0 ? (
        <NoLines isLoading={log.isLoading.value} isOver={isOver(job)} />
      ) : (
        <LogView text={text} label={name} isFollowing={isFollowing} />
      )}
      <footer class="logfoot">
        {!isOver(job) && <span>{isFollowing.value ? t("following") : t("pausedHere")}</span>}
        <span>{t("lines", { n: count + text.dropped })}</span>
        {text.dropped > 0 && <span>{t("earlier")}</span>}
      </footer>
    </section>
  );
}

const NoLines = ({ isLoading, isOver: hasEnded }: { readonly isLoading: boolean; readonly isOver: boolean }) =>
  isLoading ? <Outline rows={8} /> : <Empty>{hasEnded ? t("noLog") : t("noLogYet")}</Empty>;
