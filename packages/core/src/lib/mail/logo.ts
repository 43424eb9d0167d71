import type { Mail, MailAttachment } from "../../ports/outside/mailer.ts";

/** Content id of the image at the head of a mail: a signal with two lights, 64 by 64 pixels. */
const LOGO_ID = "logo@signalbox";

/** PNG in Base64. */
const LOGO =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAD1BMVEX///8YGBvcJiYWo0qhoaq+FzepAAAABXRSTlMA/////xzQJlIAAACSSURBVHja7dVfCoAgDAbwhA7gnxO4G8gu0IP3P1OUGj00v9AKhL5XfzDYxpymT6NMjhaAOYLeBYGAOgPdDCyRrwFLlIQEaI8MbAK+HRCVGiOD/j7AVuNhwXE/sFEQOOZQA445CQnwHhm4BEI7YC41Rgb9fYCtxsOC4+7bqP5Dim81vvZbYgR/xg9ugDnmLK+By6yKEEiWsN55eAAAAABJRU5ErkJggg==";

/**
 * Address of the image at the head of a mail: `named` if it is a web address, otherwise the built-in image if `mode` is "inline".
 * With the mode "none" there is no image.
 */
export function logoOf(mode: string, named = ""): string | undefined {
  if (mode === "none") return undefined;
  if (/^https?:\/\/\S+$/i.test(named)) return named;
  return mode === "inline" ? `cid:${LOGO_ID}` : undefined;
}

/** Attaches the logo if the mail's HTML refers to it. */
export function withLogo(mail: Mail): Mail {
  if (!mail.html?.includes(`<img src="cid:${LOGO_ID}"`)) return mail;
  const logo: MailAttachment = { filename: "logo.png", contentId: LOGO_ID, open: async () => logoBytes() };
  return { ...mail, attachments: [...(mail.attachments ?? []), logo] };
}

async function* logoBytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(LOGO, "base64");
}
