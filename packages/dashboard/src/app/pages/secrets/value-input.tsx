import { useEffect, useRef } from "preact/hooks";
import { TextInput } from "../../parts/forms/fields.tsx";
import { t } from "./texts.ts";

interface ValueProps {
  readonly label: string;
  readonly value: string;
  readonly isDisabled: boolean;
  readonly onInput: (value: string) => void;
}

/** Handles pasted text of several lines, because a password field would join them. */
export function pasteLines(event: ClipboardEvent, take: (text: string) => void): void {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!text.trim().includes("\n") || !(event.target as Element).matches("[type=password]")) return;
  event.preventDefault();
  take(text);
}

/** Edits a masked value. A value of several lines, such as a private key, keeps its line breaks. */
export function ValueInput(props: ValueProps) {
  const hasLines = useRef(false);
  hasLines.current ||= props.value.includes("\n");
  if (hasLines.current) return <Lines {...props} />;
  return <TextInput {...props} type="password" autocomplete="new-password" placeholder={t("value")} isRequired />;
}

function Lines({ label, value, isDisabled, onInput }: ValueProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <textarea
      ref={area}
      class="input mono"
      style={{ WebkitTextSecurity: "disc" }}
      aria-label={label}
      rows={4}
      required
      disabled={isDisabled}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}
