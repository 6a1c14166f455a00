import type { portalTexts as english } from '../en/portal.ts';
import type { Texts } from '../texts.ts';
import { homeTexts } from './home.ts';

/** What the merchant portal says. */
export const portalTexts: Texts<typeof english> = {
  title: 'Händlerportal',
  lead: 'Ihr Geschäft, seine Punkte und alle, die sie sammeln.',
  shop: 'Geschäft',
  opening: 'Ihr Geschäft wird eröffnet …',
  none: 'keine',
  pages: {
    overview: 'Übersicht',
    transactions: 'Verkäufe',
    consumers: 'Kundschaft',
    codes: 'Codes',
    rules: 'Regeln',
    campaigns: 'Aktionen',
    rewards: 'Prämien',
    programme: 'Bedingungen',
    liability: 'Monatsabschluss',
    imports: 'Importe',
    providers: 'Kassensysteme',
    people: 'Mitarbeitende',
    webhooks: 'Webhooks',
    history: 'Protokoll',
    profile: 'Profil',
  },
  groups: {
    sales: 'Verkauf',
    programme: 'Programm',
    team: 'Team',
    settings: 'Einstellungen',
  },
  overview: {
    suspended: [
      'Dieses Geschäft ist ausgesetzt: Punkte werden weder gesammelt noch eingelöst. Was es',
      'inzwischen verkauft, zählt, sobald es weitergeht.',
    ].join(' '),
    figures: 'Zahlen',
    unknown: (count: number, shown: string) =>
      count === 1
        ? 'Ein Verkauf ließ sich niemandem zuordnen.'
        : `${shown} Verkäufe ließen sich niemandem zuordnen.`,
    unknownWhat: [
      'Laden Sie zum Punktesammeln ein und erfassen Sie am Kassensystem die E-Mail-Adresse oder',
      'Telefonnummer: Dann gelingt die Zuordnung. Wer sich binnen 30 Tagen registriert, bekommt',
      'auch die Punkte früherer Verkäufe mit dieser Adresse oder Nummer.',
    ].join(' '),
    seeUnknown: 'Diese Verkäufe ansehen',
  },
  ...homeTexts,
  transactions: {
    list: 'Verkäufe',
    empty: 'Keine passenden Verkäufe.',
    columns: {
      when: 'Wann',
      amount: 'Betrag',
      who: 'Kunde',
      outcome: 'Ergebnis',
      points: 'Punkte',
      why: 'Warum',
    },
    why: 'Warum?',
    whyOf: (amount: string, when: string) => `Warum? ${amount}, ${when}`,
    refunded: (amount: string) => `${amount} erstattet`,
    reversed: (points: string) => `${points} zurückgebucht`,
    owed: (points: string) => `${points} noch abzuziehen`,
    unknown: '–',
    noPoints: 'Keine Punkte',
    outcomes: {
      credited: 'Gutgeschrieben',
      stored_anonymous: 'Kunde unbekannt',
      duplicate: 'Doppelt',
      no_rule_no_credit: 'Keine Regel',
    },
    /** Why less was earned than a customer would expect. */
    reasons: {
      zero_amount: 'der Betrag war null',
      below_minimum: 'unter dem Mindestbetrag',
      rounded_to_zero: 'weniger als ein Punkt wert',
      capped_to_zero: 'die Regel gibt keine Punkte',
      capped_to_limit: 'Höchstzahl je Verkauf erreicht',
      no_contacts: 'ohne E-Mail und Telefon',
      no_match: 'E-Mail oder Telefon gehört zu keinem Kunden',
      no_rule: 'keine Regel galt',
      before_connection: 'bevor hier Punkte gesammelt wurden',
      currency_mismatch: 'in anderer Währung',
      tenant_suspended: 'das Geschäft ist ausgesetzt',
    },
    filters: 'Filter',
    all: 'Alle',
    outcome: 'Ergebnis',
    /** Those that were credited to somebody, also with no points. */
    known: 'Kunde bekannt',
    id: 'Zahlungsnummer im Kassensystem',
  },
  codes: {
    list: 'Codes',
    empty: 'Noch keine Codes.',
    emptyText: 'Wer Punkte hat, erstellt in der App einen Code und spart damit an Ihrer Kasse.',
    emptyFilter: 'Keine passenden Codes.',
    columns: {
      issued: 'Erstellt',
      who: 'Kunde',
      worth: 'Wert',
      points: 'Punkte',
      status: 'Status',
      used: 'Eingelöst',
    },
    status: { issued: 'Einlösbar', used: 'Eingelöst', expired: 'Abgelaufen' },
    cancelled: 'Storniert',
    by: (who: string) => `durch ${who}`,
    day: 'Tagesabschluss',
    filter: 'Status',
    all: 'Alle',
  },
};
