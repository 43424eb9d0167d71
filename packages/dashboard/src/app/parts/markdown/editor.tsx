import { useEffect, useState } from "preact/hooks";
import { t } from "../../texts/words/common.ts";
import { Segments, TextArea } from "../forms/fields.tsx";
import { Markdown } from "./index.tsx";

interface EditorProps {
  readonly id?: string;
  readonly label?: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
}

/** A field for Markdown, with a preview. */
export function MarkdownEditor({ id, label, value, onInput, rows = 6, placeholder = "" }: EditorProps) {
  const [mode, setMode] = useState("write");
  useEffect(() => {
    // The text was sent: goes back to writing for the next one.
    if (value === "") setMode("write");
  }, [value]);
  return (
    <div class="md-edit">
      <Segments
        label={t("how")}
        choices={[
          { value: "write", title: t("write") },
          { value: "preview", title: t("preview") },
        ]}
        value={mode}
        onInput={setMode}
      />
      {mode === "write" ? (
        <TextArea
          {...(id ? { id } : {})}
          {...(label ? { label } : {})}
          value={value}
          onInput={onInput}
          rows={rows}
          placeholder={placeholder}
        />
      ) : (
        <div class="md-shown">
          {value.trim() ? <Markdown text={value} /> : <p class="dim sm">{t("nothingToPreview")}</p>}
        </div>
      )}
    </div>
  );
}
