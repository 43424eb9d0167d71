import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly help?: ComponentChildren;
  /** The server's message as it came, or the result of the page's own check. */
  readonly error?: string | undefined;
  /** Called with the id for the control, and the id of its description. */
  readonly children: (id: string, describedBy: string | undefined) => ComponentChildren;
}

/** A control with its label above, and help and error below. */
export function Field({ label, help, error, children }: FieldProps) {
  const id = useId();
  const about = error || help ? `${id}-about` : undefined;
  return (
    <div class={error ? "field bad" : "field"}>
      <label for={id}>{label}</label>
      {children(id, about)}
      {about && (
        <p id={about} class={error ? "wrong" : "help"}>
          {error || help}
        </p>
      )}
    </div>
  );
}

interface ControlProps<Value> {
  readonly id?: string;
  readonly describedBy?: string | undefined;
  /** Accessible name of a field without a visible label. */
  readonly label?: string;
  readonly value: Value;
  readonly onInput: (value: Value) => void;
  readonly onBlur?: () => void;
  /** Called before Enter submits the form. */
  readonly onEnter?: () => void;
  readonly isDisabled?: boolean;
}

interface TextProps extends ControlProps<string> {
  readonly type?: "text" | "password" | "search" | "number" | "email" | "date" | "time" | "datetime-local";
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly isMono?: boolean;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  readonly name?: string;
  /** Suggested values; any other value may be entered as well. */
  readonly offers?: readonly Choice[] | undefined;
}

export const TextInput = (props: TextProps) =>
  props.offers ? (
    <>
      <Entry {...props} />
      <datalist id={`${props.id}-offers`}>
        {props.offers.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </datalist>
    </>
  ) : (
    <Entry {...props} />
  );

const Entry = (props: TextProps) => (
  <input
    list={props.offers && `${props.id}-offers`}
    class={props.isMono ? "input mono" : "input"}
    {...plain(props)}
    type={(props.type ?? "text") as "text"}
    name={props.name}
    placeholder={props.placeholder}
    autocomplete={(props.autocomplete ?? "off") as "off"}
    required={props.isRequired}
    maxLength={props.maxLength}
    value={props.value}
    onInput={(event) => props.onInput(event.currentTarget.value)}
    onKeyDown={(event) => event.key === "Enter" && props.onEnter?.()}
  />
);

interface AreaProps extends ControlProps<string> {
  readonly rows?: number;
  readonly isMono?: boolean;
  readonly placeholder?: string;
}

export const TextArea = (props: AreaProps) => (
  <textarea
    class={props.isMono ? "input mono" : "input"}
    {...plain(props)}
    rows={props.rows ?? 4}
    placeholder={props.placeholder}
    value={props.value}
    onInput={(event) => props.onInput(event.currentTarget.value)}
  />
);

export interface Choice {
  readonly value: string;
  readonly title: string;
}

interface SelectProps extends ControlProps<string> {
  readonly choices: readonly Choice[];
  /** A choice takes effect at once, so keys must open the list first. */
  readonly isActing?: boolean;
}

/**
 * Opens the list for keys that would change the value while it is closed. Otherwise each arrow or letter would choose a value on
 * the way, and where each choice takes effect at once, only the neighbouring value could be reached.
 */
export function openFirst(event: KeyboardEvent & { readonly currentTarget: HTMLSelectElement }): void {
  const { key, ctrlKey, metaKey, altKey, currentTarget } = event;
  const isChoosing = /^(?:Arrow|Page|Home$|End$)/.test(key) || (key.length === 1 && key !== " ");
  if (!isChoosing || ctrlKey || metaKey || altKey) return;
  // Browsers that cannot tell whether a list is open keep their default behaviour.
  if (!CSS.supports("selector(:open)") || currentTarget.matches(":open")) return;
  event.preventDefault();
  currentTarget.showPicker();
}

export const Select = (props: SelectProps) => (
  <select
    class="input"
    {...plain(props)}
    value={props.value}
    onChange={(event) => props.onInput(event.currentTarget.value)}
    onKeyDown={props.isActing ? openFirst : undefined}
  >
    {props.choices.map(({ value, title }) => (
      <option key={value} value={value}>
        {title}
      </option>
    ))}
  </select>
);

interface CheckProps extends ControlProps<boolean> {
  readonly children: ComponentChildren;
}

/** A checkbox with its text beside it. */
export const Check = (props: CheckProps) => (
  <label class="check">
    <input
      type="checkbox"
      {...plain(props)}
      checked={props.value}
      onChange={(event) => props.onInput(event.currentTarget.checked)}
    />
    <span>{props.children}</span>
  </label>
);

interface SegmentsProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A few choices, exactly one of them selected: a range, a view. */
export const Segments = ({ label, choices, value, onInput }: SegmentsProps) => (
  <div class="seg" role="group" aria-label={label}>
    {choices.map((choice) => (
      <button
        key={choice.value}
        type="button"
        aria-pressed={choice.value === value}
        onClick={() => onInput(choice.value)}
      >
        {choice.title}
      </button>
    ))}
  </div>
);

const plain = ({
  id,
  describedBy,
  label,
  onBlur,
  isDisabled,
}: ControlProps<never> | ControlProps<string> | ControlProps<boolean>) => ({
  id,
  "aria-describedby": describedBy,
  "aria-label": label,
  onBlur,
  disabled: isDisabled,
});
