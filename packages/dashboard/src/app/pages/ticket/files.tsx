import { act, isUnderWay } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { Files } from "../../parts/files.tsx";
import { Drop } from "../../parts/forms/drop.tsx";
import { t as common } from "../../texts/words/common.ts";
import type { Ticket } from "../tickets/query/values.ts";
import type { TicketProps } from "./index.tsx";
import { t } from "./texts.ts";

type Stored = NonNullable<Ticket["files"]>[number];

export function TicketFiles({ ticket, onChange }: TicketProps) {
  const { id, files = [] } = ticket;
  const upload = async (given: readonly File[]): Promise<void> => {
    const run = () => api.uploadUserTicketFiles({ ticket: id, save: true }, { files: given });
    const answer = await act(`upload ${id}`, { run, done: t("uploaded", { n: given.length }) });
    if (answer) onChange({ files: answer.files });
  };
  const remove = async ({ path, filename: name }: Stored): Promise<void> => {
    const question = { title: t("deleteFile", { name }), text: t("deleteFileWhy"), verb: common("delete") };
    if (!(await confirm(question))) return;
    const run = () => api.deleteTicketFile({ id, path });
    const answer = await act(`file ${path}`, { run, done: t("fileDeleted", { name }) });
    if (answer) onChange({ files: answer.files });
  };
  const mayEdit = can("edit_tickets");
  return (
    <Panel title={t("files")} count={files.length}>
      {files.length > 0 ? (
        <Files files={files} onDelete={mayEdit ? remove : undefined} />
      ) : (
        !mayEdit && <p class="dim sm inner">{t("noFiles")}</p>
      )}
      {mayEdit && (
        <Drop
          label={common("addFiles")}
          hint={common("dropHere")}
          isBusy={isUnderWay(`upload ${id}`)}
          onFiles={upload}
        />
      )}
    </Panel>
  );
}
