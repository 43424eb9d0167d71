import { SignalboxError } from "@signalbox/client";
import { useEffect, useState } from "preact/hooks";
import { act, isUnderWay } from "../../data/calls/act.ts";
import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { Files } from "../../parts/files.tsx";
import { Drop } from "../../parts/forms/drop.tsx";
import { TextArea } from "../../parts/forms/fields.tsx";
import { useUnsaved } from "../../parts/forms/unsaved.ts";
import { bytes } from "../../texts/format.ts";
import { t as common } from "../../texts/words/common.ts";
import type { PartProps } from "../definitions/kind.ts";
import { t } from "./texts.ts";

type Bucket = Awaited<ReturnType<typeof api.getBucket>>;

const EVERY_SEC = 10;

/** Data and files of a bucket. */
export function Contents({ row: { id, revision } }: PartProps) {
  const found = useLoad(`bucket ${id}`, (signal) => api.getBucket({ id }, { signal }));
  useEffect(() => void found.reload(), [revision]);
  // Jobs write data and files without a live message, so the page polls.
  usePolling(EVERY_SEC, found.reload);
  return (
    <WhenLoaded of={found}>
      {(bucket) => (
        <>
          <BucketFiles id={id} files={bucket.files} reload={found.reload} />
          <Data id={id} data={bucket.data} reload={found.reload} />
        </>
      )}
    </WhenLoaded>
  );
}

interface FilesProps {
  readonly id: string;
  readonly files: Bucket["files"];
  readonly reload: Loaded<Bucket>["reload"];
}

function BucketFiles({ id, files, reload }: FilesProps) {
  const upload = async (given: readonly File[]): Promise<void> => {
    const run = () => api.uploadBucketFiles({ id }, { files: given });
    if (await act(`upload ${id}`, { run, done: t("uploaded", { n: given.length }) })) await reload();
  };
  const remove = async ({ filename, path }: Bucket["files"][number]): Promise<void> => {
    const question = { title: t("deleteFile", { name: filename }), text: t("deleteFileWhy"), verb: common("delete") };
    if (!(await confirm(question))) return;
    await act(`file ${path}`, {
      run: () => api.deleteBucketFile({ id, path }),
      done: t("fileDeleted", { name: filename }),
    });
    await reload();
  };
  const mayEdit = can("edit_buckets");
  const empty = async (): Promise<void> => {
    const size = bytes(files.reduce((sum, file) => sum + (file.size ?? 0), 0));
    const text = t("emptyFilesWhy", { n: files.length, size });
    await emptyOut(`empty ${id}`, { title: t("emptyFilesTitle"), text }, () => api.emptyBucket({ id, files: true }));
    await reload();
  };
  return (
    <Panel
      title={t("files")}
      count={files.length}
      more={files.length > 0 && <Empty deed={`empty ${id}`} what={t("files")} run={empty} />}
    >
      {files.length > 0 ? (
        <Files files={files} onDelete={mayEdit ? remove : undefined} />
      ) : (
        <p class="dim sm inner">{t("noFiles")}</p>
      )}
      {mayEdit && (
        <Drop label={common("addFiles")} hint={t("replaceHint")} isBusy={isUnderWay(`upload ${id}`)} onFiles={upload} />
      )}
    </Panel>
  );
}

/** Asks for confirmation first, because emptying a bucket cannot be undone. */
async function emptyOut(
  deed: string,
  question: { title: string; text: string },
  run: () => Promise<unknown>,
): Promise<void> {
  if (await confirm({ ...question, verb: t("emptyIt") })) await act(deed, { run, done: t("emptied") });
}

interface EmptyProps {
  readonly deed: string;
  readonly what: string;
  readonly run: () => Promise<void>;
}

const Empty = ({ deed, what, run }: EmptyProps) => (
  <Action needs="edit_buckets" deed={deed} kind="row" label={`${t("emptyIt")}: ${what}`} run={run}>
    {t("emptyIt")}
  </Action>
);

interface DataProps {
  readonly id: string;
  readonly data: Bucket["data"];
  readonly reload: Loaded<Bucket>["reload"];
}

/** How the data of an empty bucket are shown. */
const NOTHING = "{}";

function faultOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? undefined : t("noObject");
  } catch (error) {
    return (error as Error).message;
  }
}

/** Formats the data for display and editing. */
const shownOf = (data: Bucket["data"]): string => JSON.stringify(data, null, 2);

/** The entry, and the stored data that it is based on: other people and jobs may write meanwhile. */
interface Entered {
  readonly over: string;
  readonly text: string;
}

function Data({ id, data, reload }: DataProps) {
  const stored = shownOf(data);
  const { over, text, enter, settle } = useEntered(stored);
  const fault = faultOf(text);
  useUnsaved(text !== stored);
  const save = async (): Promise<void> => {
    // The data are read again before a refusal is shown, so that another save replaces the data that the viewer then knows.
    const run = () => put(id, stored, text).finally(reload);
    if (await act(`data ${id}`, { run, done: common("saved") })) settle(text);
  };
  const empty = async (): Promise<void> => {
    const text = t("emptyDataWhy", { size: bytes(stored.length) });
    await emptyOut(`data ${id}`, { title: t("emptyDataTitle"), text }, () => api.emptyBucket({ id, data: true }));
    await reload();
  };
  return (
    <Panel title={t("data")} more={stored !== NOTHING && <Empty deed={`data ${id}`} what={t("data")} run={empty} />}>
      <div class="inner stack">
        <TextArea label={t("data")} value={text} onInput={enter} rows={12} isMono isDisabled={!can("edit_buckets")} />
        {fault && (
          <p class="wrong" role="alert">
            {fault}
          </p>
        )}
        {text !== stored && (
          <Acts id={id} isFaulty={fault !== undefined} isOlder={over !== stored} onSave={save} onDiscard={enter} />
        )}
      </div>
    </Panel>
  );
}

/** Replaces the data. Throws if other people or a job have written them since the page last read them. */
async function put(id: string, shown: string, text: string): Promise<unknown> {
  const { data } = await api.getBucket({ id });
  if (shownOf(data) !== shown) throw new SignalboxError("page", t("changedMeanwhile"));
  return api.updateBucket({ id, data: JSON.parse(text) });
}

interface ActsProps {
  readonly id: string;
  readonly isFaulty: boolean;
  /** The data were written since the entry was begun. */
  readonly isOlder: boolean;
  readonly onSave: () => Promise<void>;
  readonly onDiscard: (next: undefined) => void;
}

const Acts = ({ id, isFaulty, isOlder, onSave, onDiscard }: ActsProps) => (
  <div class="acts">
    <Action needs="edit_buckets" deed={`data ${id}`} kind="primary" isDisabled={isFaulty} run={onSave}>
      {common("save")}
    </Action>
    <Button onClick={() => onDiscard(undefined)}>{t("discard")}</Button>
    <span class="xs dim">{t(isOlder ? "changedMeanwhile" : "wholeData")}</span>
  </div>
);

/** The text in the form: the stored text until something is entered. An entry is kept when the stored data change. */
function useEntered(stored: string) {
  const [entered, set] = useState<Entered>();
  const { over, text } = entered ?? { over: stored, text: stored };
  return {
    over,
    text,
    enter: (next: string | undefined): void => set(next === undefined ? undefined : { over, text: next }),
    /** Called when `saved` is stored. Entries made while it was being saved are kept. */
    settle: (saved: string): void =>
      set((now) => (now && now.text !== saved ? { over: shownOf(JSON.parse(saved)), text: now.text } : undefined)),
  };
}
