import type { truthTexts as english } from '../en/truth.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of the days that were compared with a point of sale's own list. */
export const truthTexts: Texts<typeof english> = {
  title: 'Tag für Tag',
  lead: (label: string) =>
    `Jede Nacht vergleichen wir den Vortag mit dem, was ${label} dafür auflistet.`,
  nothing:
    'Noch wurde kein Tag verglichen; deshalb ist keiner gekennzeichnet. Wählen Sie einen, um ihn ' +
    'jetzt zu vergleichen.',
  statuses: {
    agrees: 'Alle Verkäufe sind da',
    repaired: 'Verkäufe fehlten und wurden nachgetragen',
    differs: 'Etwas fehlt',
    unavailable: 'Vergleich nicht möglich',
    none: 'Nicht verglichen',
  },
  dayOf: (day: string, status: string) => `${day}: ${status}`,
  listed: (label: string) => `Laut ${label}`,
  here: 'Hier erfasst',
  sales: (count: number, shown: string, amount: string) =>
    `${count === 1 ? '1 Verkauf' : `${shown} Verkäufe`}, ${amount}`,
  refunded: (amount: string) => `${amount} erstattet`,
  missing: (count: number, shown: string) =>
    count === 1 ? '1 Verkauf fehlte hier.' : `${shown} Verkäufe fehlten hier.`,
  changed: (count: number, shown: string) =>
    count === 1
      ? '1 Verkauf war hier mit anderem Betrag oder anderer Rückerstattung.'
      : `${shown} Verkäufe waren hier mit anderem Betrag oder anderer Rückerstattung.`,
  unknown: (count: number, shown: string, label: string) =>
    count === 1
      ? `1 Verkauf ist hier, den ${label} nicht mehr kennt.`
      : `${shown} Verkäufe sind hier, die ${label} nicht mehr kennt.`,
  repaired: (count: number, shown: string) =>
    count === 1 ? '1 wurde nachgetragen.' : `${shown} wurden nachgetragen.`,
  bringIn: 'Fehlendes nachtragen',
  compare: 'Diesen Tag jetzt vergleichen',
  earns: 'Nachgetragenes bringt Punkte nach der Regel, die jetzt gilt; nichts zählt doppelt.',
  running: 'Wird verglichen. Das dauert meist nur Sekunden.',
  later: 'Das dauert länger als sonst. Es läuft von selbst weiter: Schauen Sie später wieder.',
};
