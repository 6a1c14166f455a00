import type { commonTexts as english } from '../en/common.ts';
import type { Texts } from '../texts.ts';

/** What all apps say. */
export const commonTexts: Texts<typeof english> = {
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  signInAsSomebodyElse: 'Mit anderem Konto anmelden',
  signInEnded: 'Die Anmeldung ist abgelaufen. Bitte neu anmelden.',
  signInAway:
    'Die Anmeldung ist gerade nicht erreichbar. Bitte die Verbindung prüfen und noch einmal ' +
    'versuchen.',
  noConnection: 'Keine Verbindung. Diese Seite öffnet sich, sobald es wieder eine gibt.',
  signInRefused: 'Die Anmeldung hat nicht geklappt. Bitte noch einmal versuchen.',
  support: 'Fragen? Hilfe gibt es hier:',
  loading: 'Wird geladen …',
  stillTrying: 'Noch dabei …',
  retry: 'Noch einmal',
  reload: 'Neu laden',
  close: 'Schließen',
  dismiss: 'Ausblenden',
  cancel: 'Abbrechen',
  back: 'Zurück',
  more: 'Mehr anzeigen',
  csv: 'Als CSV laden',
  /** What has come to a list since it was read. */
  news: (count: string) => `${count} neu`,
  csvNames: {
    transactions: 'verkaeufe.csv',
    customers: 'kundschaft.csv',
    codes: 'Codes.csv',
    history: 'verlauf.csv',
    audit: 'protokoll.csv',
    people: 'personen.csv',
  },
  skip: 'Zum Inhalt springen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  nothing: 'Hier gibt es noch nichts.',
  offline: 'Keine Verbindung. Angezeigt wird der letzte Stand.',
  needsConnection: 'Diese Seite braucht eine Verbindung.',
  live: 'Bleibt von selbst aktuell',
  broken: 'Auf dieser Seite ist ein Fehler aufgetreten. Bitte neu laden.',
  notFound: 'Diese Seite gibt es nicht.',
  badConfig: (reason: string) => `Diese App ist nicht eingerichtet: ${reason}`,
  reference: (id: string) => `Referenz: ${id}`,
  pages: 'Seiten',
  morePages: 'Mehr',
  search: 'Suche',
  account: 'Konto: ',
  notices: 'Benachrichtigungen',
  points: (count: number, shown: string) => (count === 1 ? '1 Punkt' : `${shown} Punkte`),
  earning: {
    perPoint: (amount: string) => `1 Punkt je ${amount}`,
    perUnit: (points: string, amount: string) => `${points} Punkte je ${amount}`,
    from: (amount: string) => `, ab einem Einkauf von ${amount}`,
    none: 'Dieses Geschäft gibt zurzeit keine Punkte.',
  },
  statuses: {
    suspended: 'Dieses Konto ist ausgesetzt.',
    pending_approval:
      'Dieses Konto wartet noch auf die Freigabe durch die Verwaltung. Danach geht es hier weiter.',
    adminEmail:
      'Dieses Konto darf nicht in die Verwaltung: Seine E-Mail-Adresse hat eine andere Domain.',
  },
  roles: {
    consumer: 'einem Kundenkonto',
    client: 'einem Händlerkonto',
    pos_operator: 'einem Kassenkonto',
    admin: 'einem Verwaltungskonto',
  },
  wrongRole: (role: string) => `Angemeldet mit ${role}. Diese Seite ist für andere Konten.`,
};
