/** Header lines of a mail to the recipients of an action. */
export const head = (subject: string, title: string, button: string): string =>
  [
    "<!-- To: {{ email_to }} -->",
    `<!-- Subject: {{ config.client.name }}: ${subject} -->`,
    `<!-- Title: ${title} -->`,
    `<!-- Button: ${button} -->`,
  ].join("\n");

export const parts = (...all: string[]): string => `${all.join("\n\n")}\n`;
