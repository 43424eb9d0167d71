import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { say } from "../../data/calls/said.ts";
import { list } from "../../texts/format.ts";
import { t } from "../../texts/words/common.ts";
import { Button } from "../basic/button.tsx";

interface DropProps {
  /** Label of the button: "Add files". */
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly isSingle?: boolean;
  readonly isBusy?: boolean;
  readonly onFiles: (files: readonly File[]) => unknown;
}

/** Removes empty files and says so: the server refuses an upload with an empty file, together with the other files in it. */
function withoutEmpty(files: readonly File[]): readonly File[] {
  const names = files.filter(({ size }) => size === 0).map(({ name }) => name);
  if (names.length > 0) say({ tone: "crit", text: t("emptyFiles", { n: names.length, names: list(names) }) });
  return files.filter(({ size }) => size > 0);
}

/** A place to drop files, with a button to choose them. */
export function Drop({ label, hint, isSingle = false, isBusy = false, onFiles }: DropProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (given: FileList | null | undefined): void => {
    const files = withoutEmpty([...(given ?? [])].slice(0, isSingle ? 1 : undefined));
    if (isBusy) say({ tone: "crit", text: t("filesUnderWay") });
    else if (files.length > 0) void onFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      class={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        multiple={!isSingle}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = "";
        }}
      />
      <Button icon="plus" isBusy={isBusy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      {hint && <span class="xs dim">{hint}</span>}
    </div>
  );
}
