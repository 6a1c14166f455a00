import type { profileTexts as english } from '../en/profile.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of the shop itself. */
export const profileTexts: Texts<typeof english> = {
  name: 'Name des Geschäfts',
  country: 'Land',
  currency: 'Währung',
  currencyHint:
    'Ihr Kassensystem hat sie nicht genannt. Einmal gewählt, lässt sie sich nicht ändern.',
  currencySet: 'Der Wert der Punkte hängt an ihr, darum bleibt sie.',
  currencyComes: 'Ihr Kassensystem bringt sie mit.',
  connect: 'Verbinden',
  timeZone: 'Zeitzone',
  timeZoneHint: 'Die Tage Ihrer Zahlen beginnen dort um Mitternacht.',
  noTimeZone: 'Noch nicht bekannt, darum UTC.',
  preference: 'Kassensystem',
  otherPreference: 'Ein anderes',
  unset: 'Noch nicht angegeben',
  address: 'Adresse',
  city: 'Ort',
  taxId: 'Steuernummer',
  save: 'Speichern',
  saved: 'Gespeichert.',
  color: 'Farbe',
  colorHint: 'Ihre Karte, Ihre Codes und Ihre E-Mails tragen sie. Schrift darauf bleibt lesbar.',
  saveColor: 'Farbe speichern',
  noColor: 'Keine Farbe',
  previewPoints: '1.250 Punkte',
  previewMeter: 'Wie weit es bis zur Prämie ist',
  schemes: { light: 'Am Tag', dark: 'In der Nacht' },
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP oder GIF. Es steht bei den Punkten Ihrer Kundschaft und in E-Mails.',
  choose: 'Bild auswählen',
  remove: 'Logo entfernen',
  noLogo: 'Noch kein Logo.',
  logoOf: (shop: string) => `Logo von ${shop}`,
  wrongType: 'Das ist kein PNG, JPEG, WebP oder GIF.',
};
