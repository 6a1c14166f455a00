import type { validityTexts as english } from '../en/validity.ts';
import type { Texts } from '../texts.ts';

/** What the wallet says of points that expire. */
export const validityTexts: Texts<typeof english> = {
  title: 'Einlösbar bis',
  until: (day: string) => `einschließlich ${day}`,
  never: 'unbegrenzt',
  order: 'Eingelöst werden zuerst die Punkte, die am frühesten verfallen.',
};
