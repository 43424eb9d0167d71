import { escapeHtml } from "../text/html.ts";

export interface Frame {
  readonly product: string;
  readonly title: string;
  /** Address of the service, shown in the footer. */
  readonly url: string;
  /** HTML. */
  readonly content: string;
  readonly button?: { readonly label: string; readonly url: string } | undefined;
  /** Address of an image. */
  readonly logo?: string | undefined;
  /** Additional text in the footer. */
  readonly version?: string | undefined;
  readonly copyright?: string | undefined;
}

const FONT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:1.5;overflow-wrap:anywhere";
const BUTTON =
  "display:inline-block;background:#1d4ed8;color:#ffffff;text-decoration:none;border-radius:4px;padding:8px 16px";

/** The page around the content of a mail. */
export function mailPage({ product, title, url, content, button, logo, version, copyright }: Frame): string {
  const foot = [product, version, copyright, url].filter((part) => part).map((part) => escapeHtml(part ?? ""));
  return [
    '<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#ffffff;color:#18181b;${FONT}">`,
    logo === undefined ? "" : `<img src="${escapeHtml(logo)}" alt="${escapeHtml(product)}" height="32">`,
    `<h1 style="font-size:20px">${escapeHtml(title)}</h1>`,
    content,
    button ? `<p><a style="${BUTTON}" href="${escapeHtml(button.url)}">${escapeHtml(button.label)}</a></p>` : "",
    `<hr><p style="color:#71717a;font-size:13px">${foot.join(" · ")}</p>`,
    "</body></html>",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** The plain text of a mail: the Markdown itself, and one line as footer. */
export function mailText({ product, title, url, content, button }: Frame): string {
  const parts = [title, content.trim(), button ? `${button.label}: ${button.url}` : "", `-- \n${product}, ${url}`];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
