import type { noticeTexts as english } from '../en/notices.ts';
import type { Texts } from '../texts.ts';

/** What people read where they choose what they are told of. */
export const noticeTexts: Texts<typeof english> = {
  points: {
    title: 'E-Mails über Punkte',
    what: 'Wenn Punkte dazukommen, können wir dir schreiben. Codes kommen immer per E-Mail.',
    options: { first: 'Die ersten je Geschäft', each: 'Jedes Mal', never: 'Nie' },
  },
  phone: {
    offer: 'Lass dir auf diesem Handy sagen, wenn Punkte dazukommen',
    notNow: 'Nicht jetzt',
    title: 'Auf diesem Handy',
    what:
      'Eine Mitteilung über die Punkte, die du oben ausgewählt hast, und wenn ein Code von dir ' +
      'eingelöst wird. Auch wenn diese App geschlossen ist.',
    on: 'Auf diesem Handy benachrichtigen',
    blocked:
      'Dein Browser blockiert Mitteilungen von hier. Erlaube sie in seinen Einstellungen für ' +
      'diese Website und öffne dann diese Seite noch einmal.',
    atApple:
      'Füge diese App auf einem iPhone oder iPad zuerst zum Home-Bildschirm hinzu: Tippe auf ' +
      'Teilen und dann auf „Zum Home-Bildschirm“. Öffne sie dann von dort.',
    impossible: 'Dieser Browser kann solche Mitteilungen nicht anzeigen.',
  },
  weekly: {
    title: 'Wöchentliche E-Mail',
    what:
      'Jeden Montag: was verkauft wurde, an wie viele bekannte Kunden, welche Punkte vergeben ' +
      'und genutzt wurden und was nicht funktioniert. E-Mails zur Sicherheit kommen immer.',
    on: 'Jeden Montag eine E-Mail senden',
  },
  waiting: {
    title: 'Wartende Händler',
    what:
      'Eine E-Mail, wenn sich Händler beworben oder um Punkte gebeten haben, höchstens eine pro ' +
      'Stunde.',
    on: 'Eine E-Mail senden, wenn ein Händler wartet',
  },
  noAddress: 'Ohne bestätigte E-Mail-Adresse sind keine E-Mails möglich.',
  saved: 'Gespeichert.',
  stop: {
    title: 'Keine solchen E\u2011Mails mehr?',
    points: 'Du bekommst dann keine E-Mails mehr über Punkte. Codes kommen weiterhin.',
    weekly:
      'Sie bekommen dann keine wöchentlichen E-Mails mehr. E-Mails zur Sicherheit kommen weiter.',
    waiting: 'Sie bekommen dann keine E-Mails mehr über wartende Händler.',
    submit: 'Keine E-Mails mehr',
    done: 'Solche E-Mails kommen nicht mehr.',
    change: 'Ändern lässt sich das jederzeit im Menü des Kontos unter „Benachrichtigungen“.',
  },
};
