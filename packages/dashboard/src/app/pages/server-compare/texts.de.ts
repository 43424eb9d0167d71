import type { Translated } from "../../texts/catalogue.ts";
import type { compareTexts } from "./texts.ts";

export const compare: Translated<typeof compareTexts> = {
  servers: "Server",
  title: "Zwei Server vergleichen",
  two: "{a} und {b}",
  first: "Erster Server",
  second: "Zweiter Server",
  none: "Server wählen",
  choose: "Wählen Sie zwei Server: Ihre Werte werden in dieselben Diagramme gezeichnet.",
  same: "Wählen Sie einen anderen zweiten Server: Diese zwei sind derselbe.",
};
