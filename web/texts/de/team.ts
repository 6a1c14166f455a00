import type { teamTexts as english } from '../en/team.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of those who work at the till. */
export const teamTexts: Texts<typeof english> = {
  staff: 'An der Kasse',
  noStaff: 'Noch kann niemand Codes einlösen.',
  noStaffText:
    'Laden Sie alle ein, die an der Kasse stehen: Dort lösen sie die Codes Ihrer Kundschaft ein.',
  columns: {
    name: 'Name',
    who: 'E-Mail',
    since: 'Seit',
    attached: 'Zugeordnet in 30 Tagen',
    actions: 'Aktionen',
    sent: 'Gesendet',
    lapses: 'Offen bis',
  },
  attachments: {
    title: 'Zugeordnete Verkäufe',
    what:
      'Per Mitgliedsnummer, bei Verkäufen, die niemanden nannten. Gibt eine Person einer anderen ' +
      'viele, lohnt sich ein Blick.',
    when: 'Wann',
    who: 'Von',
    customer: 'Kunde',
    look: 'Ansehen',
    lookAt: (when: string) => `Wem der Verkauf zugeordnet wurde: ${when}`,
    points: 'Punkte',
    often: 'Von dieser für diese Person, 30 Tage',
  },
  attach: {
    title: 'Wessen Verkauf ist das?',
    how:
      'Die Nummer steht auf der Mitgliedskarte in der App. Punkte gibt es für Verkäufe der ' +
      'letzten ' +
      '30 Tage.',
    number: 'Mitgliedsnummer',
    unknown: 'Diese Mitgliedsnummer gibt es nicht. Prüfen Sie sie noch einmal gemeinsam.',
    submit: 'Punkte geben',
  },
  remove: 'Entfernen',
  removeOf: (who: string) => `${who} entfernen`,
  removeTitle: (who: string) => `${who} entfernen?`,
  removeWhat:
    'Diese Person kann hier ab sofort keine Codes mehr einlösen. Was sie eingelöst hat, bleibt ' +
    'in ' +
    'der Liste.',
  removed: (who: string) => `${who} ist entfernt.`,
  invites: 'Eingeladen',
  invite: 'Person einladen',
  inviteTitle: 'Ins Team einladen',
  email: 'E-Mail',
  submit: 'Einladung senden',
  can: 'An der Kasse kann diese Person',
  cans: [
    'einen Code nachsehen und seinen Wert von einem Verkauf abziehen',
    'sehen, welche Codes an diesem Tag eingelöst wurden und von wem',
    'die Punkte eines Belegs gutschreiben, den man ihr zeigt, wenn Ihre Bedingungen es erlauben',
  ],
  cannot: 'Sie sieht keine Adressen Ihrer Kundschaft, keine Verkaufsliste und keine Einstellungen.',
  next: 'Sie bekommt eine Mail mit einem Link zur Kasse und entscheidet selbst, 30 Tage lang.',
  sent: (email: string) => `${email} ist eingeladen, per Mail mit einem Link zur Kasse.`,
  sentAgain: (email: string) =>
    `${email} bekommt eine neue Mail. Der bisherige Link gilt nicht mehr.`,
  lost: (email: string) =>
    `Die Einladung an ${email} ist zurückgezogen. Steht hier keine neue, laden Sie ${email} ` +
    'später noch einmal ein.',
  again: 'Erneut senden',
  againOf: (email: string) => `Einladung an ${email} erneut senden`,
  againHint: 'Einen Tag nach der letzten Mail lässt sich eine Einladung erneut senden.',
  withdraw: 'Zurückziehen',
  withdrawOf: (email: string) => `Einladung an ${email} zurückziehen`,
  withdrawn: (email: string) =>
    `Die Einladung an ${email} ist zurückgezogen: Ihr Link gilt nicht mehr.`,
};
