import type { choiceTexts as english } from '../en/choices.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of fields in which one of many is chosen. */
export const choiceTexts: Texts<typeof english> = {
  unknown: 'Das steht nicht in der Liste. Wählen Sie daraus etwas aus.',
  all: (label: string) => `Alle anzeigen: ${label}`,
};
