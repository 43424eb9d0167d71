import type { Translated } from "../../texts/catalogue.ts";
import type { bucketsTexts } from "./texts.ts";

export const buckets: Translated<typeof bucketsTexts> = {
  title: "Behälter",
  create: "Behälter anlegen",
  empty: "Es gibt keine Behälter. Ein Behälter hält Daten und Dateien, die Jobs miteinander und mit Personen teilen.",
  removal: "Daten und Dateien sind dann fort. Aktionen, die in ihn legen oder aus ihm holen, schlagen fehl.",
  files: "Dateien",
  noFiles: "Keine Dateien. Jobs legen sie mit der Aktion „in einen Behälter legen“ hierher.",
  uploaded: { one: "1 Datei ist abgelegt.", other: "{n} Dateien sind abgelegt." },
  replaceHint: "Eine mit demselben Namen wird ersetzt.",
  deleteFile: "{name} löschen?",
  deleteFileWhy: "Die Datei ist dann fort.",
  fileDeleted: "{name} ist gelöscht.",
  emptyIt: "Leeren",
  emptyFilesTitle: "Alle Dateien dieses Behälters löschen?",
  emptyFilesWhy: { one: "1 Datei mit {size} ist dann fort.", other: "{n} Dateien mit {size} sind dann fort." },
  emptyDataTitle: "Alle Daten dieses Behälters löschen?",
  emptyDataWhy: "{size} Daten sind dann fort, auch was Jobs inzwischen geschrieben haben.",
  emptied: "Er ist leer.",
  data: "Daten",
  noObject: "Die Daten sind ein Objekt oder eine Liste.",
  discard: "Verwerfen",
  changedMeanwhile: "Die Daten wurden inzwischen geändert. Speichern ersetzt sie, Verwerfen zeigt sie.",
  wholeData: "Ersetzt alle Daten.",
};
