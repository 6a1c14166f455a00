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
  unknown: '–',
};
