import { picture } from "./after-picture.ts";

/** Focuses the first invalid field, which may be outside the window, once the marks are drawn. */
export async function toFirstFault(form: HTMLElement | null): Promise<void> {
  await picture();
  form?.querySelector<HTMLElement>(".bad :is(input, select, textarea)")?.focus();
}
