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
    poster: 'Plakat aufhängen',
  },
  /** Why a step is open. */
  why: {
    connect:
      'So kommen Ihre Verkäufe, Ihr Land und Ihre Währung hierher. Ohne gibt es keine Punkte.',
    name: 'Ihre Kundschaft liest den Namen bei ihren Punkten und in Mails.',
    rule: 'Ohne Regel bringen Verkäufe keine Punkte.',
    sale:
      'Kassieren Sie einen kleinen an Ihrem Kassensystem, für jemanden, der schon zum ' +
      'Punktesammeln angemeldet ist. Er erscheint hier von selbst.',
    team: 'Noch kann niemand an der Kasse Codes einlösen.',
    poster: 'Kundinnen und Kunden scannen es an der Kasse, um mitzumachen.',
  },
  connect: 'Verbinden',
  name: 'Namen wählen',
  callIt: (name: string) => `„${name}“ übernehmen`,
  rule: 'Regel festlegen',
  sale: 'Verkäufe ansehen',
  testSale: 'Testverkauf kassieren',
  team: 'Team einladen',
  poster: 'Plakat ansehen',
};
