import type { providerTexts as english } from '../en/providers.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of points of sale. */
export const providerTexts: Texts<typeof english> = {
  list: 'Kassensysteme',
  connect: (provider: string) => `${provider} verbinden`,
  leaving: 'Zum Verbinden werden Sie dorthin geleitet, melden sich an und erlauben es.',
  never: (provider: string) =>
    `Verbinden Sie ${provider}, und was Sie dort verkaufen, bringt Punkte.`,
  connected: (provider: string) => `${provider} ist verbunden.`,
  goOn: 'Weiter',
  isAccount: (provider: string, account: string) => `${provider} ist verbunden: ${account}.`,
  lost: (since: string) =>
    `Seit ${since} haben wir dort keinen Zugang mehr: Verkäufe bringen keine Punkte.`,
  account: 'Konto',
  unread: 'noch nicht bekannt',
  lastSale: 'Letzter Verkauf',
  noSale: 'zuletzt keiner',
  disconnect: 'Trennen',
  disconnectThis: (provider: string) => `${provider} trennen`,
  disconnectTitle: (name: string) => `${name} trennen?`,
  disconnectWhat: (provider: string) => `Verkäufe bei ${provider} bringen dann keine Punkte mehr.`,
  goesOn: (other: string) => `Verkäufe bei ${other} bringen weiter Punkte.`,
  noOther: 'Kein anderes Kassensystem ist verbunden.',
  stays:
    'Gesammelte Punkte bleiben, und Codes sind weiter einlösbar. Sie können es jederzeit ' +
    'wieder ' +
    'verbinden.',
  failed: (label: string | undefined, at: string) =>
    `${label ?? 'Es'} wurde nicht verbunden, um ${at} Uhr.`,
  otherCurrency: {
    what: (label: string, account: string, shop: string) =>
      `Ihr Konto bei ${label} verkauft in ${account}, Ihr Geschäft in ${shop}. Punkte sind in ` +
      'einer einzigen Währung etwas wert, darum passen die beiden nicht zusammen.',
    account: (label: string, shop: string) =>
      `Haben Sie ein anderes Konto, das in ${shop} verkauft: Melden Sie sich zuerst bei ` +
      `${label} ` +
      'ab, sonst kommt wieder dasselbe Konto. Verbinden Sie es dann.',
    shop: (account: string) =>
      `Verkauft Ihr Geschäft in ${account}: Das können wir ändern. Schreiben Sie dem Support, ` +
      'und nennen Sie Ihr Geschäft.',
    another: 'einer anderen Währung',
  },
  errors: {
    access_denied: 'Sie haben es beim Kassensystem nicht erlaubt.',
    invalid_state:
      'Dieser Rückweg vom Kassensystem gehört nicht zu diesem Browser. Beginnen Sie noch einmal.',
    expired_state: 'Es hat mehr als zehn Minuten gedauert. Beginnen Sie noch einmal.',
    exchange_failed:
      'Das Kassensystem hat nicht richtig geantwortet. Versuchen Sie es in ein paar Minuten ' +
      'noch ' +
      'einmal.',
    merchant_mismatch: 'Das ist ein anderes Konto als das bisher verbundene.',
    merchant_taken: 'Dieses Konto ist mit einem anderen Geschäft verbunden.',
    currency_mismatch: 'Dieses Konto hat eine andere Währung als Ihr Geschäft.',
    not_allowed: 'Sie dürfen es nicht mehr verbinden.',
  },
};
