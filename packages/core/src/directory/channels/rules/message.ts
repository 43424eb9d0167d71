/**
 * Turns the hook text into a notification: without the leading product name, links and a trailing colon
 * (docs/contract/channels.md#notification).
 */
export function notificationText(text: string, product: string): string {
  const own = text.startsWith(`${product} `) ? text.slice(product.length + 1) : text;
  const line = own.replace(/\bhttps?:\/\/\S+/gi, "").replace(/[\p{Cc}\s]+/gu, " ");
  let end = line.length;
  while (line[end - 1] === ":" || line[end - 1] === " ") end -= 1;
  return line.slice(0, end).trim();
}

/** Client location of the subject: the job, or the alert. */
export function locationOf(side: "job" | "alert", data: Readonly<Record<string, unknown>>): string {
  const { id } = Object(data[side]) as { readonly id?: unknown };
  return `${side === "job" ? "#Job" : "#Alerts"}?id=${String(id ?? "")}`;
}
