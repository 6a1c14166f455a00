import type { onboardingTexts as english } from '../en/onboarding.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of the steps of a new shop. */
export const onboardingTexts: Texts<typeof english> = {
  title: 'Geschäft einrichten',
  progress: (done: number, all: number) => `${done} von ${all} erledigt`,
  done: 'Erledigt',
  steps: {
    connect: 'Kassensystem verbinden',
    name: 'Geschäft benennen',
    rule: 'Festlegen, was es für Einkäufe gibt',
    sale: 'Testverkauf machen',
    team: 'Team einladen',
  },
  /** Why a step is open. */
  why: {
    connect:
      'So kommen Ihre Verkäufe, Ihr Land und Ihre Währung hierher. Ohne gibt es keine Punkte.',
    name: 'Ihre Kundschaft liest den Namen bei ihren Punkten und in Mails.',
    rule: 'Ohne Regel bringen Verkäufe keine Punkte.',
    sale:
      'Noch kam kein Verkauf an. Kassieren Sie einen kleinen, mit Ihrer eigenen E-Mail-Adresse ' +
      'oder Telefonnummer.',
    team: 'Noch kann niemand an der Kasse Codes einlösen.',
  },
  connect: 'Verbinden',
  name: 'Namen wählen',
  callIt: (name: string) => `„${name}“ übernehmen`,
  rule: 'Regel festlegen',
  sale: 'Verkäufe ansehen',
  team: 'Team einladen',
};
