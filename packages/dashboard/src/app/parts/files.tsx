import { base } from "../data/calls/boot.ts";
import { bytes } from "../texts/format.ts";
import { t } from "../texts/words/common.ts";
import { Button } from "./basic/button.tsx";
import { Icon } from "./basic/icon.tsx";
import { Drop } from "./forms/drop.tsx";
import { Time } from "./time.tsx";

interface StoredFile {
  readonly path: string;
  readonly filename: string;
  readonly size?: number | undefined;
  readonly date?: number | undefined;
  readonly username?: string | undefined;
}

interface FilesProps<File extends StoredFile> {
  readonly files: readonly File[];
  /** Absent where the viewer may not delete. */
  readonly onDelete?: ((file: File) => unknown) | undefined;
}

/** Stored files with download links. */
export const Files = <File extends StoredFile>({ files, onDelete }: FilesProps<File>) => (
  <ul class="files">
    {files.map((file) => (
      <li key={file.path}>
        <Icon name="file" />
        <a class="cut" href={`${base}/${file.path}`} download={file.filename} dir="auto">
          {file.filename}
        </a>
        <span class="dimmer xs num">
          {file.size === undefined ? "" : bytes(file.size)}
          {file.date ? <span class="hide-s"> · {<Time at={file.date} />}</span> : null}
        </span>
        {onDelete && (
          <Button
            kind="bare"
            icon="trash"
            label={t("deleteNamed", { name: file.filename })}
            onClick={() => onDelete(file)}
          />
        )}
      </li>
    ))}
  </ul>
);

interface ChosenFilesProps {
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
  /** Shown beside the button once files are chosen. */
  readonly hint?: string;
}

/** Files that are sent with a form; the viewer can add and remove them. */
export const ChosenFiles = ({ files, onFiles, hint }: ChosenFilesProps) => (
  <>
    {files.length > 0 && (
      <ul class="files">
        {files.map((file, at) => (
          <li key={at}>
            <Icon name="file" />
            <span class="cut" dir="auto">
              {file.name}
            </span>
            <span class="dimmer xs num">{bytes(file.size)}</span>
            <Button
              kind="bare"
              icon="x"
              label={t("removeNamed", { name: file.name })}
              onClick={() => onFiles(files.filter((other) => other !== file))}
            />
          </li>
        ))}
      </ul>
    )}
    <Drop
      label={t("addFiles")}
      hint={files.length > 0 && hint ? hint : t("dropHere")}
      onFiles={(given) => onFiles([...files, ...given])}
    />
  </>
);
