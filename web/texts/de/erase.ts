import type { eraseTexts as english } from '../en/erase.ts';
import type { Texts } from '../texts.ts';

/** What the page of the wallet says on which people ask to be erased. */
export const eraseTexts: Texts<typeof english> = {
  who:
    'Dein Name, deine E-Mail-Adresse, deine Telefonnummer und deine Mitgliedsnummer werden hier ' +
    'gelöscht, für alle Geschäfte auf einmal.',
  points: 'Alle deine Punkte und Codes enden, in allen Geschäften. Sie kommen nicht zurück.',
  when:
    'Es beginnt in 72 Stunden. Bis dahin kannst du dein Konto mit einem Knopf über deinen ' +
    'Punkten ' +
    'behalten.',
  mail: (email: string) => `Eine Mail an ${email} sagt dir, wann.`,
  stays:
    'Was du gekauft hast, bleibt in den Büchern der Geschäfte, ohne dass dort steht, dass du es ' +
    'warst.',
  anew:
    'Deine Anmeldung gehört nicht dazu. Nutzt du sie hier wieder, fängst du neu an, ohne ' +
    'Punkte.',
  staff:
    'Du arbeitest an der Kasse eines Geschäfts und kannst dein Konto deshalb nicht selbst ' +
    'löschen. Der Support kann es.',
  loss: 'Was du verlierst',
  held: (points: string, worth: string) => `${points}, ${worth} wert`,
  heldFor: (points: string, worth: string) => `${points} für ${worth}`,
  codeAt: (shop: string) => `${shop}, Code`,
  sure: (points: string) =>
    `Ich verliere ${points}. Hat es einmal begonnen, gibt es kein Zurück mehr.`,
  sureOfNothing: 'Ich weiß: Hat es einmal begonnen, gibt es kein Zurück mehr.',
};
