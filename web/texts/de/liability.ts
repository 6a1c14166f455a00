import type { liabilityTexts as english } from '../en/liability.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of what a shop owes its customers in points. */
export const liabilityTexts: Texts<typeof english> = {
  lead:
    'Für Ihre Buchhaltung: was am Ende eines Monats noch einlösbar war, gezählt, als er vorbei ' +
    'war. Der Stand von damals bleibt; den heutigen sehen Sie in der Übersicht.',
  none: 'Noch kein Monat gezählt',
  noneWhat:
    'Gezählt wird, wenn ein Monat endet und Punkte verfallen können. Nach wie vielen Monaten sie ' +
    'das tun, legen Sie unter „Bedingungen“ fest.',
  after: (month: string) => `Ende ${month}`,
  asOf: (when: string) => `Gezählt am ${when}`,
  outstanding: (points: string) => (points === '1' ? '1 Punkt' : `${points} Punkte`),
  openCodes: (points: string) => `davon ${points} in offenen Codes`,
  inRewards: 'Wert in Prämien',
  factor: (amount: string) => `${amount} je 100 Punkte`,
  inRewardsWhat:
    'Nach den Prämien, die in den 90 Tagen davor eingelöst wurden, und dem, was sie Sie kosten.',
  months: 'Nach dem Monat, in dem die Punkte gesammelt wurden',
  month: 'Gesammelt im',
  earned: 'Gesammelt',
  reversed: 'Durch Rückerstattung zurückgebucht',
  used: 'Eingelöst',
  expired: 'Verfallen',
  left: 'Übrig',
  nothing: 'Es waren keine Punkte mehr einlösbar.',
};
