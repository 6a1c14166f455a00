import type {
  serviceTexts as english,
  officeGoodwillTexts as englishOfOffice,
} from '../en/service.ts';
import type { Texts } from '../texts.ts';

/** Was das Händlerportal zu Fragen an der Kasse sagt. */
export const serviceTexts: Texts<typeof english> = {
  search: {
    label: 'Person, Verkauf oder Code finden',
    hint: [
      'Eine ganze E-Mail-Adresse, Telefon- oder Mitgliedsnummer, ein Code, ein Betrag wie 12,50 ',
      'oder die Zahlungs-ID Ihres Kassensystems.',
    ].join(''),
    submit: 'Suchen',
    clear: 'Die ganze Kundschaft anzeigen',
    found: 'Gefunden',
    customers: 'Kundschaft',
    sales: 'Verkäufe',
    codes: 'Codes',
    none: 'Nichts passt genau dazu',
    nonePerson:
      'Prüfen Sie jeden Buchstaben und jede Ziffer. Stimmt alles, hat das bei Ihnen weder eine ' +
      'Person noch ein Verkauf: Suchen Sie als Nächstes nach dem Betrag des Verkaufs.',
    noneSale: 'Verkäufe finden Sie 90 Tage lang über den Betrag ohne Trinkgeld.',
    noneOther: 'Das ist weder eine Adresse noch eine Nummer, ein Code oder ein Betrag.',
    waiting:
      'Ein Verkauf mit einer Adresse oder Nummer, die noch niemand bestätigt hat, bringt seine ' +
      'Punkte von selbst, sobald sich die Person in der App anmeldet und sie bestätigt.',
    anonymous:
      'Auch ein Verkauf ohne Namen bringt nachträglich Punkte: Öffnen Sie „Warum?“ und geben Sie ' +
      'die Mitgliedsnummer von der Karte der Person ein.',
  },
  unverified: {
    email:
      'Die E-Mail-Adresse ist nicht bestätigt, darum bringen Verkäufe mit ihr noch keine Punkte. ' +
      'Bitten Sie die Person, sie in der App zu bestätigen: Dann kommen die Punkte von selbst.',
    phone:
      'Die Telefonnummer ist nicht bestätigt, darum bringen Verkäufe mit ihr noch keine Punkte. ' +
      'Bitten Sie die Person, sie in der App zu bestätigen: Dann kommen die Punkte von selbst.',
  },
  firstVisit: (day: string) => `der erste am ${day}`,
  spent: 'Ausgaben in 12 Monaten',
  tier: 'Stufe',
  pending: (points: string) => `davon ${points} erst nach Ende der Rückgabefrist nutzbar`,
  expiring: (points: string, day: string) => `${points} bis ${day} gültig`,
  timeline: 'Verlauf',
  noTimeline: 'Noch haben sich keine Punkte bewegt.',
  balance: (points: string) => `danach ${points}`,
  sold: (day: string) => `verkauft am ${day}`,
  off: (amount: string) => `${amount} Rabatt`,
  refunded: (amount: string) => `${amount} erstattet`,
  reasons: {
    purchase: 'Verkauf',
    redemption: 'Code',
    redemption_expired: 'Code nicht genutzt: Punkte zurück',
    payment_refunded: 'Erstattung',
    admin_adjustment: 'Korrektur',
    points_expired: 'Verfallen',
  },
  resend: {
    column: 'E-Mail',
    open: 'Erneut senden',
    of: (worth: string) => `Erneut senden: Code über ${worth}`,
    done: 'Die E-Mail mit dem Code ist unterwegs.',
  },
  goodwill: {
    title: 'Punkte aus Kulanz',
    what:
      'Bitten Sie um Punkte, etwa nach einem Fehler. Sie kommen, sobald wir zugestimmt haben; ' +
      'die Antwort bekommen Sie per E-Mail.',
    open: 'Um Punkte bitten',
    dialog: 'Um Punkte für diese Person bitten',
    points: 'Punkte',
    wrongPoints: 'Eine ganze Zahl von 1 bis 100.000.',
    worth: (amount: string) => `${amount} wert`,
    reason: 'Grund',
    reasonHint: 'Für die, die antworten. Keine Namen, Adressen oder Telefonnummern.',
    submit: 'Bitten',
    list: 'Punkte, um die Sie gebeten haben',
    when: 'Gebeten',
    who: 'Kunde',
    status: 'Antwort',
    statuses: {
      open: 'Wartet auf Antwort',
      granted: 'Gewährt',
      declined: 'Abgelehnt',
      withdrawn: 'Zurückgezogen',
    },
    askedAt: (points: string, when: string) => `${points}, erbeten am ${when}`,
    withdraw: 'Zurückziehen',
  },
};

/** Was die Verwaltung zu Punkten sagt, um die gebeten wird. */
export const officeGoodwillTexts: Texts<typeof englishOfOffice> = {
  lead: 'Punkte, um die Geschäfte bitten. Was Sie gewähren, zählt zu Ihrer Grenze von 24 Stunden.',
  list: 'Bitten um Punkte',
  empty: 'Kein Geschäft wartet auf Antwort',
  emptyText: 'Hier erscheint, worum Geschäfte für ihre Kundschaft bitten.',
  ask: (shop: string, points: string) => `${shop} bittet um ${points}`,
  customer: 'Für',
  has: (points: string) => `hat ${points}`,
  by: (who: string, when: string) => `Erbeten von ${who}, ${when}`,
  suspended: 'Geschäft gesperrt',
  grant: {
    open: 'Gewähren',
    of: (shop: string, points: string) => `${points} für eine Person bei ${shop} gewähren`,
    title: (points: string) => `${points} gutschreiben?`,
    what: (who: string, shop: string) => `${who} bekommt sie sofort bei ${shop}.`,
    submit: 'Gutschreiben',
    done: 'Die Punkte sind gutgeschrieben.',
  },
  decline: {
    open: 'Ablehnen',
    of: (shop: string, points: string) => `${points} für eine Person bei ${shop} ablehnen`,
    title: 'Diese Punkte ablehnen?',
    what: 'Das Geschäft liest Ihren Grund. Die Person, um die es geht, sieht ihn nicht.',
    submit: 'Ablehnen',
    done: 'Die Bitte ist abgelehnt.',
  },
};
