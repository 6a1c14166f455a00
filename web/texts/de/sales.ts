import type { saleTexts as english } from '../en/sales.ts';
import type { Texts } from '../texts.ts';

/** Was das Händlerportal zu Verkäufen sagt. */
export const saleTexts: Texts<typeof english> = {
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
  received: (day: string) => `eingegangen am ${day}`,
  refunded: (amount: string) => `${amount} erstattet`,
  reversed: (points: string) => `${points} zurückgebucht`,
  owed: (points: string) => `${points} noch abzuziehen`,
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
};
