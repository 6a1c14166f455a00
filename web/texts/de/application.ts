import type { applicationTexts as english } from '../en/application.ts';
import type { Texts } from '../texts.ts';

/** What the portal says to somebody who asks to become a merchant. */
export const applicationTexts: Texts<typeof english> = {
  lead: 'Erzählen Sie uns von Ihrem Geschäft. Wir sehen uns jedes an, bevor es beginnt.',
  shopName: 'Name des Geschäfts',
  shopNameHint: 'Kunden sehen ihn bei ihren Punkten. Sie können ihn später ändern.',
  phone: 'Telefon',
  website: 'Internetseite (freiwillig)',
  reason: 'Warum möchten Sie Punkte vergeben?',
  reasonHint: 'Ein Satz genügt.',
  send: 'Absenden',
  wrong: {
    phone: 'Geben Sie eine Telefonnummer ein, zum Beispiel +49 30 1234567.',
    website: 'Geben Sie eine Adresse im Web ein, zum Beispiel eck-cafe.de.',
  },
  waiting: 'Wir sehen es uns an',
  opens: 'Sobald Sie freigeschaltet sind, öffnet diese Seite von selbst Ihr Portal.',
  mailed: (email: string) =>
    `Sie bekommen auch eine E-Mail an ${email}: Sie müssen nicht hier warten.`,
  said: 'Was Sie uns gesagt haben',
  names: { shopName: 'Geschäft', phone: 'Telefon', website: 'Internetseite', reason: 'Warum' },
  change: 'Ändern',
};
