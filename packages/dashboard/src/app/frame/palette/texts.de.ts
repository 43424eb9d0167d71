import type { Translated } from "../../texts/catalogue.ts";
import type { paletteTexts } from "./texts.ts";

export const palette: Translated<typeof paletteTexts> = {
  title: "Suchen oder einen Befehl ausführen",
  pages: "Seiten",
  events: "Ereignisse",
  servers: "Server",
  jobs: "Jobs",
  tickets: "Tickets",
  people: "Personen",
  roles: "Rollen",
  keys: "API-Schlüssel",
  routes: "Wege",
  receivers: "Empfänger",
  rotas: "Dienstpläne",
  settings: "Einstellungen",
  guides: "Anleitungen",
  actions: "Aktionen",
  hint: "Ein Name, eine Id oder die Nummer eines Tickets.",
  nothing: "Nichts gefunden zu „{text}“.",
  run: "{title} ausführen",
  started: "{title} wurde gestartet.",
  theme: "Zwischen hell und dunkel wechseln",
  open: "Öffnen",
};
