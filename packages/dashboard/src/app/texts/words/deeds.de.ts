import type { Translated } from "../catalogue.ts";
import type { deedTexts } from "./deeds.ts";

export const deeds: Translated<typeof deedTexts> = {
  create: "{what} angelegt",
  update: "{what} geändert",
  delete: "{what} gelöscht",
  user_login: "Angemeldet",
  user_logout: "Abgemeldet",
  user_locked: "Konto gesperrt",
  user_password: "Passwort geändert",
  secret_access: "Geheimnis geöffnet",
  state_update: "Umgeschaltet",
  config_update: "Konfiguration geändert",
  job_abort: "Job abgebrochen",
  job_run: "Job gestartet",
  alert_acknowledge: "Alarm übernommen",
  ticket_add_change: "Ticket kommentiert",
  queue_flush: "Schlange geleert",
  internal_job_start: "Begonnen",
  peer_add: "Knoten beigetreten",
  peer_disconnect: "Knoten weg",
  peer_drain: "Knoten soll übergeben",
  master_primary: "Knoten führt",
};
