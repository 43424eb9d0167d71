import { setQuery } from "../../router/router.ts";
import { Icon } from "../basic/icon.tsx";

interface FindFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
}

/** A field that filters a list in the page; its text is `q` of the address. */
export const FindField = ({ label, placeholder, value }: FindFieldProps) => (
  <>
    <Icon name="search" />
    <input
      class="query"
      type="search"
      data-filter
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={(event) => setQuery({ q: event.currentTarget.value })}
    />
  </>
);
