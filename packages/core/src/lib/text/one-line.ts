/** Replaces line breaks and other control characters with blanks: a header has one line (docs/contract/mail.md#sending). */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
