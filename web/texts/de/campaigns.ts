import type { campaignTexts as english } from '../en/campaigns.ts';
import type { Texts } from '../texts.ts';

const DAYS = ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'] as const;

/** What the portal says of campaigns. */
export const campaignTexts: Texts<typeof english> = {
  lead:
    'Für eine Weile mehr Punkte auf manche Verkäufe: eine Happy Hour, ein doppeltes Wochenende, ' +
    'ein Willkommensgeschenk. Eine Aktion lässt sich nicht ändern; beenden Sie sie und ' +
    'veröffentlichen Sie eine neue.',
  new: 'Neue Aktion',
  none: 'Noch keine Aktion',
  earlier: 'Beendet',
  open: 'Jetzt und demnächst',
  status: {
    scheduled: 'Geplant',
    running: 'Läuft',
    exhausted: 'Budget verbraucht',
    ended: 'Beendet',
  },
  multiplies: (times: string) => `${times}-fache Punkte`,
  adds: (points: string) => `${points} extra`,
  firstPurchase: 'nur beim ersten Einkauf',
  from: (amount: string) => `ab ${amount}`,
  days: (days: readonly number[]) => days.map((day) => DAYS[day - 1]).join(', '),
  hours: (from: string, to: string) => `${from} bis ${to} Uhr`,
  starts: (when: string) => `Beginnt am ${when}`,
  since: (when: string) => `Seit ${when}`,
  ends: (when: string) => `Bis ${when}`,
  ended: (when: string) => `Beendet am ${when}`,
  spent: (points: string, sales: string) => `${points} für ${sales}`,
  sales: (count: number, shown: string) => (count === 1 ? '1 Verkauf' : `${shown} Verkäufe`),
  budget: (spent: string, budget: string) => `${spent} von ${budget} Punkten vergeben`,
  end: 'Beenden',
  endOf: (name: string) => `„${name}“ beenden`,
  endWhat:
    'Künftige Verkäufe bekommen nichts mehr davon; frühere schon, auch wenn sie später eintreffen.',
  keep: 'Weiterlaufen lassen',
  wasEnded: 'Die Aktion ist beendet.',
  needsCurrency:
    'Verbinden Sie zuerst Ihr Kassensystem: Dann steht fest, in welcher Währung Sie verkaufen.',
  published: 'Die Aktion ist veröffentlicht.',
  fields: {
    name: 'Name',
    nameHint: 'Ihre Kundschaft liest ihn.',
    gives: 'Was sie bringt',
    kinds: { multiplier: 'Mehrfache Punkte', points: 'Extrapunkte' },
    multiplier: 'Faktor',
    points: 'Punkte',
    which: 'Für welche Verkäufe',
    minSpend: 'Ab welchem Betrag',
    minSpendHint: 'Mindestens so viel, wie die Extrapunkte wert sind.',
    audience: 'Für wen',
    audiences: { all: 'Alle', first_purchase: 'Wer zum ersten Mal einkauft' },
    days: 'Tage',
    dayNames: DAYS,
    hours: 'Uhrzeit',
    fromHour: 'Von',
    toHour: 'Bis',
    hoursHint: 'Leer: den ganzen Tag.',
    when: 'Wann',
    starts: 'Beginn',
    startsHint: 'Leer: sofort.',
    ends: 'Ende',
    endsHint: 'Leer: ohne festes Ende.',
    budget: 'Budget in Punkten',
    budgetHint:
      'Sind so viele vergeben, gibt sie nichts mehr; was in diesem Moment kassiert wird, kann ' +
      'darüber hinausgehen. Leer: unbegrenzt.',
  },
  wrong: {
    name: 'Geben Sie einen Namen mit höchstens 60 Zeichen ein.',
    multiplier:
      'Geben Sie eine Zahl über 1 bis 10 ein, etwa 1,25, mit höchstens drei Nachkommastellen.',
    points: 'Geben Sie eine ganze Zahl von 1 bis 1.000.000 ein.',
    minSpend: (example) => `Geben Sie einen Geldbetrag ein, etwa ${example}.`,
    generous: 'Der Verkauf muss mindestens so viel wert sein wie die Punkte.',
    days: 'Wählen Sie einen Tag.',
    hours: 'Geben Sie beide Zeiten ein, die zweite nach der ersten.',
    starts: 'Wählen Sie einen Zeitpunkt, der noch nicht vorbei ist.',
    ends: 'Wählen Sie einen Zeitpunkt nach dem Beginn, höchstens zwei Jahre später.',
    budget: 'Geben Sie eine ganze Zahl ein oder nichts.',
  },
  publish: 'Veröffentlichen',
};
