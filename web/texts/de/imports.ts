import type { importTexts as english, officeImportTexts as officeEnglish } from '../en/imports.ts';
import type { Texts } from '../texts.ts';

/** What the portal and the back office say of members who are brought over. */
export const importTexts: Texts<typeof english> = {
  lead:
    'Wer bei Ihnen schon mit einer anderen Karte gesammelt hat, behält die Punkte. Laden Sie ' +
    'eine Datei mit E-Mail-Adressen oder Telefonnummern hoch: Wir prüfen sie, und wer sich ' +
    'registriert, findet die eigenen Punkte vor.',
  choose: 'Datei auswählen',
  hint:
    'CSV mit der ersten Zeile email,phone,points. Höchstens 10.000 Zeilen und 1 MB. Stehen in ' +
    'einer Zeile beide Kontakte, zählt die E-Mail-Adresse.',
  tooLarge: 'Die Datei ist größer als 1 MB. Bitte teilen Sie sie auf.',
  refused: {
    required: 'Keine Zeile der Datei lässt sich übernehmen. Bitte berichtigen Sie sie.',
    invalid:
      'Die Datei muss mit der Zeile email,phone,points beginnen, und jedes Anführungszeichen ' +
      'darin muss geschlossen sein. Bitte berichtigen Sie sie.',
    too_big:
      'Die Datei hat mehr als 10.000 Zeilen oder mehr als 10.000.000 Punkte. Bitte teilen Sie ' +
      'sie auf.',
  },
  uploaded: 'Die Datei ist hochgeladen und wartet auf die Freigabe.',
  none: 'Noch keine Datei',
  list: 'Importe',
  status: {
    draft: 'Wartet auf Freigabe',
    running: 'Wird übernommen',
    done: 'Übernommen',
    withdrawn: 'Zurückgezogen',
    reverting: 'Wird zurückgenommen',
    reverted: 'Zurückgenommen',
  },
  rows: (count: number, shown: string) => (count === 1 ? '1 Zeile' : `${shown} Zeilen`),
  uploadedAt: (when: string) => `Hochgeladen am ${when}`,
  matched: (count: number, shown: string) =>
    count === 1 ? '1 Person hat ihre Punkte' : `${shown} Personen haben ihre Punkte`,
  waiting: (count: number, shown: string) =>
    count === 1 ? '1 noch nicht registriert' : `${shown} noch nicht registriert`,
  repeated: (shown: string) => `${shown} mehrfach`,
  notTaken: (points: string) => `Schon eingelöst und darum nicht zurückzunehmen: ${points}.`,
  mistakes: (count: number, shown: string) =>
    count === 1
      ? '1 fehlerhafte Zeile wurde ausgelassen'
      : `${shown} fehlerhafte Zeilen wurden ausgelassen`,
  most: 'Die ersten 100 fehlerhaften Zeilen, die ausgelassen wurden',
  mistake: (line: string, what: string) => `Zeile ${line}: ${what}`,
  mistakesOf: {
    required: 'Kontakt oder Punkte fehlen',
    invalid_format: 'Adresse, Nummer oder Punkte sind falsch geschrieben',
    too_small: 'weniger als 1 Punkt',
    too_big: 'mehr als 100.000 Punkte',
    invalid: 'nicht drei Spalten',
  },
  withdrawOf: (rows: string) => `Diese Datei mit ${rows} zurückziehen`,
  withdraw: 'Zurückziehen',
  withdrawWhat:
    'Die Datei wird gelöscht, bevor jemand Punkte daraus bekommt. Sie können sie erneut hochladen.',
  keep: 'Behalten',
  withdrawn: 'Die Datei ist zurückgezogen.',
};

/** What the back office says besides. */
export const officeImportTexts: Texts<typeof officeEnglish> = {
  lead: 'Punkte, die Geschäfte mitbringen. Eine Datei, in der man selbst steht, geben andere frei.',
  empty: 'Noch hat kein Geschäft eine Datei hochgeladen.',
  foreseen: 'Nach der Freigabe, Stand beim Hochladen:',
  approve: {
    open: 'Freigeben',
    of: (shop: string) => `Datei von ${shop} freigeben`,
    title: (shop: string) => `Mitglieder von ${shop} übernehmen?`,
    what: (points: string, rows: string) =>
      `${points} in ${rows}. Wiederholen Sie die Summe: So geben Sie frei, was Sie geprüft haben.`,
    sum: 'Summe der Punkte',
    wrong: 'Geben Sie die Summe als ganze Zahl ein.',
    submit: 'Übernehmen',
    done: (shop: string) => `Die Mitglieder von ${shop} werden übernommen.`,
  },
  revert: {
    open: 'Zurücknehmen',
    of: (shop: string) => `Datei von ${shop} zurücknehmen`,
    title: (shop: string) => `Punkte von ${shop} zurücknehmen?`,
    what:
      'Innerhalb von 24 Stunden nach der Freigabe. Was schon eingelöst ist, lässt sich nicht ' +
      'zurücknehmen.',
    submit: 'Zurücknehmen',
    done: (shop: string) => `Die Punkte von ${shop} werden zurückgenommen.`,
  },
};
