import type { customerMails as english } from '../en/customer-mails.ts';
import type { Texts } from '../texts.ts';

/** What mails say to customers. */
export const customerMails: Texts<typeof english> = {
  code: {
    subject: ({ shop }) => `Dein Code für ${shop}`,
    heading: ({ shop }) => `Dein Code für ${shop}:`,
    subjectOfMany: ({ shop, codes }) => `Deine ${codes} Codes für ${shop}`,
    headingOfMany: ({ shop, codes }) =>
      `Innerhalb einer Minute hast du ${codes} Codes für ${shop} bekommen:`,
    isFor: ({ reward, points }) => `Er ist für „${reward}“ (${points}).`,
    worth: ({ points, worth }) =>
      worth === null ? `Er ist ${points} wert.` : `Er ist ${worth} wert (${points}).`,
    use: ({ until }) => `Zeig ihn an der Kasse. Er kann einmal eingelöst werden, bis zum ${until}.`,
    comesBack: ({ points }) =>
      `Löst du ihn bis dahin nicht ein, verfällt er, und du bekommst ${points} zurück.`,
    isLost: ({ points }) =>
      `Löst du ihn bis dahin nicht ein, verfällt er, und du verlierst ${points}.`,
    link: 'In der App ansehen',
    stranger:
      'Du wolltest keinen Code? Dann ist jemand anderes mit deinem Konto angemeldet: Ändere dein ' +
      'Passwort.',
  },

  expiry: {
    subjectReturned: ({ shop, points, count }) =>
      `${points} für ${shop} ${count === 1 ? 'ist' : 'sind'} zurück`,
    subjectLost: ({ shop }) => `Dein Code für ${shop} ist verfallen`,
    expired: ({ shop, until }) =>
      `Dein Code für ${shop} wurde bis zum ${until} nicht eingelöst und ist verfallen.`,
    returned: ({ points, worth }) => `Du hast ${withWorth(points, worth)} zurückbekommen.`,
    lost: ({ points, worth }) =>
      `Du hast ${withWorth(points, worth)} nicht zurückbekommen: Die Punkte nicht eingelöster ` +
      'Codes sind verloren.',
  },

  expiring: {
    subject: ({ shop, points, count }) =>
      `${points} bei ${shop} ${count === 1 ? 'verfällt' : 'verfallen'} bald`,
    expire: ({ shop, points, count, day }) =>
      `${points} bei ${shop} ${count === 1 ? 'verfällt' : 'verfallen'} mit Ablauf des ${day}.`,
    use: 'Löse vorher etwas ein: Es wird von den Punkten genommen, die zuerst verfallen.',
    link: 'Deine Punkte ansehen',
  },

  erasure: {
    account: 'Dein Konto',
    subject: 'Dein Konto wird gelöscht',
    scheduled: ({ at }) =>
      `Am ${at} wird alles gelöscht, woran man dich erkennt, und damit auch deine Punkte und ` +
      'Codes in allen Geschäften. Das lässt sich nicht rückgängig machen.',
    withdraw:
      'Bis dahin kannst du es zurücknehmen: Melde dich an und behalte dein Konto. Wenn du nicht ' +
      'darum gebeten hast, tu das jetzt und ändere dein Passwort.',
    link: 'Mein Konto behalten',
    withdrawnSubject: 'Dein Konto bleibt',
    stays: 'Dein Konto wird nicht gelöscht: Alles bleibt, wie es ist, auch deine Punkte.',
    stranger:
      'Wenn du es löschen wolltest, melde dich an und bitte noch einmal darum, oder frag den ' +
      'Support.',
  },
};

function withWorth(points: string, worth: string | null): string {
  return worth === null ? points : `${points} im Wert von ${worth}`;
}
