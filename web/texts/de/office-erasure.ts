import type { erasureTexts as english } from '../en/office-erasure.ts';
import type { Texts } from '../texts.ts';

/** What the back office says about erasing a person. */
export const erasureTexts: Texts<typeof english> = {
  erase: {
    label: 'Löschung',
    statuses: {
      scheduled: (at: string) => `Wird am ${at} gelöscht`,
      withdrawn: (at: string) => `Zurückgezogen, war für den ${at} geplant`,
      running: (at: string) => `Wird gerade gelöscht, seit ${at}`,
      done: (at: string) => `Am ${at} gelöscht`,
    },
    open: 'Löschen',
    title: (who: string) => `Konto von ${who} endgültig löschen?`,
    what: [
      'Name, Adressen, Punkte und Codes verschwinden in allen Geschäften, die Arbeit an jeder',
      'Kasse endet. Das lässt sich nicht rückgängig machen.',
    ].join(' '),
    until: [
      'Es beginnt in 72 Stunden. Ist eine Adresse bestätigt, geht eine E-Mail dorthin. Bis dahin',
      'lässt sich die Löschung zurückziehen, auch von Ihnen.',
    ].join(' '),
    points: (points: string) =>
      `Auf dem Konto: ${points}. Das zählt zu dem, was Sie in 24 Stunden abziehen dürfen.`,
    submit: 'Endgültig löschen',
    done: 'Die Löschung ist geplant.',
    gone: 'Das Konto ist gelöscht: Daran lässt sich nichts mehr ändern.',
  },
  keep: {
    open: 'Löschung zurückziehen',
    title: (who: string) => `Konto von ${who} behalten?`,
    what: [
      'Es wird nicht gelöscht, auch wenn die Person selbst darum gebeten hat; dafür müsste sie es',
      'erneut tun. Eine E-Mail sagt es ihr.',
    ].join(' '),
    submit: 'Löschung zurückziehen',
    done: 'Die Löschung ist zurückgezogen.',
  },
};
