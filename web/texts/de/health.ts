import type { healthTexts as english } from '../en/health.ts';
import type { Texts } from '../texts.ts';

const SUPPORT = 'Sagen Sie dem technischen Betrieb Bescheid';

/** Of how long something lasts, as it follows “since”: 3 Tage, seit 3 Tagen. */
const since = (age: string) => `seit ${age.replace(/Tage$/, 'Tagen')}`;

/** What the back office says about how the service is. */
export const healthTexts: Texts<typeof english> = {
  title: 'Zustand',
  lead: 'Wie es dem Dienst gerade geht und was bei Störungen zu tun ist.',
  good: 'Alles in Ordnung.',
  fine: 'Gut',
  wrong: 'Braucht Hilfe',
  off: 'abgeschaltet',
  failing: 'nimmt Gesendetes nicht an',
  lasting: (what: string, age: string) => `${what}, ${since(age)}`,
  tried: (what: string, ago: string) => `${what}, zuletzt abgefragt ${ago}`,
  work: (kind: string, lasting: string) => `${kind}: überfällig ${since(lasting)}`,
  lines: {
    database: {
      name: 'Dienst und Datenbank',
      next: `Die Datenbank antwortet nicht, und solange geht nichts. ${SUPPORT}.`,
    },
    background: {
      name: 'Arbeit im Hintergrund',
      next:
        `Die Arbeit im Hintergrund steht still. ${SUPPORT}. Kein Verkauf geht verloren: Die ` +
        'Punkte kommen, sobald es weitergeht.',
    },
    lost: {
      name: 'Verbindungen zu Kassensystemen',
      next:
        'In diesen Geschäften gibt es keine Punkte, bis sie neu verbunden sind. Bitten Sie den ' +
        'Händler darum.',
    },
    away: {
      name: 'Erreichbare Kassensysteme',
      next:
        'Diese antworten nicht. Wir versuchen es von selbst weiter, die Punkte kommen später. ' +
        'Dauert es länger als eine Stunde, fragen Sie beim Kassensystem nach.',
    },
    unpolled: {
      name: 'Abfrage verpasster Verkäufe',
      next:
        'Diese Geschäfte wurden seit Stunden nicht nach Verkäufen gefragt; verpasste haben noch ' +
        `keine Punkte. ${SUPPORT}.`,
    },
    pending: {
      name: 'Verkäufe, die auf Punkte warten',
      next: `Verkäufe warten seit mehr als zehn Minuten. ${SUPPORT}: Die Punkte verspäten sich.`,
    },
    stuck: {
      name: 'Lesbare Verkäufe',
      next: `Einige Verkäufe waren wiederholt nicht lesbar. ${SUPPORT}: Dort steht, warum.`,
    },
    work: {
      name: 'Andere fällige Arbeit',
      next: `Einiges müsste längst erledigt sein. ${SUPPORT}. Nichts davon geht verloren.`,
    },
    sending: {
      name: 'Senden an Systeme der Geschäfte',
      next: `Nachrichten warten seit mehr als einer Viertelstunde. ${SUPPORT}.`,
    },
    receivers: {
      name: 'Empfang durch Systeme der Geschäfte',
      next:
        'Geben Sie diesen Händlern Bescheid: Unter „Webhooks“ sehen sie, was ihr System ' +
        'geantwortet hat.',
    },
    maintenance: {
      name: 'Stündliches Aufräumen',
      next: `Es blieb seit Stunden aus. ${SUPPORT}: Abgelaufenes ist noch gespeichert.`,
    },
    statements: {
      name: 'Signierte Auszüge',
      next: `Diese sind seit Stunden überfällig. ${SUPPORT}: Nachweise von Punkteständen veralten.`,
    },
    verified: {
      name: 'Tägliche Prüfung aller Punktestände',
      next: `Diese blieb länger als einen Tag aus. ${SUPPORT}.`,
    },
    ledger: {
      name: 'Punktestände',
      next:
        `Die Prüfung hat einen Fehler gefunden. ${SUPPORT}, und zwar sofort. Korrigieren Sie ` +
        'derweil keinen Punktestand.',
    },
    backups: {
      name: 'Datensicherung',
      next: `Sie ist älter, als sie sein darf. ${SUPPORT}, und zwar noch heute.`,
    },
  },
  backups: {
    log: (ago: string) => `Letzte Änderungen gesichert ${ago}`,
    copy: (ago: string) => `vollständig kopiert ${ago}`,
    check: (ago: string) => `wiederhergestellt und geprüft ${ago}`,
  },
  kinds: {
    decide_again: 'Verkäufe wieder zugelassener Geschäfte',
    match_phones: 'Frühere Verkäufe nach Telefonnummer',
    match_signup: 'Frühere Verkäufe neuer Kunden',
    push_points: 'Mitteilungen auf Handys über neue Punkte',
    push_used_code: 'Mitteilungen auf Handys über eingelöste Codes',
    read_account: 'Namen der Konten bei Kassensystemen',
    remind_of_loss: 'Erinnerungen an verlorene Verbindungen',
    revoke_authorization: 'Zugang zu getrennten Konten beenden',
    run_import: 'Mitglieder, die Geschäfte mitbringen',
    tell_of_change: 'E-Mails über Änderungen',
    tell_of_endpoint: 'E-Mails über abgeschaltete Webhooks',
    tell_of_gap: 'E-Mails über ausbleibende Verkäufe',
    tell_of_import: 'E-Mails über übernommene Mitglieder',
    tell_of_points: 'E-Mails über neue Punkte',
    tell_of_waiting: 'E-Mails über wartende Händler',
    tell_of_week: 'Wöchentliche E-Mails an Händler',
    tell_of_unusual: 'E-Mails über auffällige Bewegungen',
    update_poll_schedule: 'Wie oft Geschäfte nach Verkäufen gefragt werden',
  },
};
