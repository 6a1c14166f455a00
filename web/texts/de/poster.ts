import type { posterTexts as english } from '../en/poster.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of the poster that brings customers in. */
export const posterTexts: Texts<typeof english> = {
  open: 'Plakat',
  title: 'Plakat',
  lead: 'Für den Tresen: scannen, mitmachen, und schon der nächste Einkauf bringt Punkte.',
  print: 'Drucken',
  call: 'Hier Punkte sammeln',
  how: 'Mit der Handykamera scannen und anmelden.',
  qr: 'QR-Code der Adresse, unter der man mitmacht',
};
