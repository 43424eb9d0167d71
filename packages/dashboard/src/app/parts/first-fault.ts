import { picture } from "./after-picture.ts";

/** Leads to the first field that is marked as wrong, which may lie off the window, once the marks are drawn. */
export async function toFirstFault(form: HTMLElement | null): Promise<void> {
  await picture();
  form?.querySelector<HTMLElement>(".bad :is(input, select, textarea)")?.focus();
}
