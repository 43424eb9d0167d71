import type { ComponentChildren } from "preact";
import { can } from "../../../data/calls/session.ts";
import { Pairs, Panel } from "../../../parts/basic/basic.tsx";
import { Empty } from "../../../parts/basic/states.tsx";
import { Files } from "../../../parts/files.tsx";
import { Time } from "../../../parts/time.tsx";
import { deleteFile } from "../deeds.tsx";
import type { ShownJob } from "../index.tsx";
import { t } from "../texts.ts";

interface TabProps {
  readonly job: ShownJob;
}

const shown = (value: unknown): ComponentChildren =>
  typeof value === "object" && value !== null ? <code class="mono">{JSON.stringify(value)}</code> : String(value);

export function ParametersTab({ job }: TabProps) {
  const params = Object.entries((job["params"] as Record<string, unknown> | undefined) ?? {});
  return (
    <Panel title={t("parameters")} count={params.length}>
      {params.length === 0 ? (
        <Empty>{t("noParameters")}</Empty>
      ) : (
        <Pairs facts={params.map(([name, value]) => ({ name, value: <span class="pre mono">{shown(value)}</span> }))} />
      )}
    </Panel>
  );
}

/** Maximum number of characters shown; the download contains the rest. */
const MOST = 200_000;

export function DataTab({ job }: TabProps) {
  const text = job["data"] === undefined ? "" : JSON.stringify(job["data"], null, 2);
  return (
    <Panel title={t("data")}>
      {text ? (
        <pre class="code" tabIndex={0}>
          {text.slice(0, MOST)}
        </pre>
      ) : (
        <Empty>{t("noData")}</Empty>
      )}
    </Panel>
  );
}

interface StoredFile {
  readonly path: string;
  readonly filename: string;
  readonly size?: number;
}

export function FilesTab({ job, onChanged }: TabProps & { readonly onChanged: () => unknown }) {
  const files = (job["files"] as readonly StoredFile[] | undefined) ?? [];
  return (
    <Panel title={t("files")} count={files.length}>
      {files.length === 0 ? (
        <Empty>{t("noFiles")}</Empty>
      ) : (
        <Files
          files={files}
          onDelete={can("delete_jobs") ? (file) => deleteFile(job, file).then(onChanged) : undefined}
        />
      )}
    </Panel>
  );
}

/** A milestone of a job. */
export interface MetaRow {
  readonly id: string;
  readonly epoch: number;
  readonly msg: string;
}

export function HistoryTab({ job }: TabProps) {
  const rows = (job["activity"] as readonly MetaRow[] | undefined) ?? [];
  return (
    <Panel title={t("history")} count={rows.length}>
      {rows.length === 0 ? (
        <Empty>{t("noHistory")}</Empty>
      ) : (
        <ol class="agenda times">
          {rows.map(({ id, epoch, msg }) => (
            <li key={id}>
              <Time at={epoch} seconds />
              <span dir="auto">{msg}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
