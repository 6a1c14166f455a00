import type { rewardTexts as english } from '../en/rewards.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of rewards. */
export const rewardTexts: Texts<typeof english> = {
  lead:
    'Was es für Punkte außer Rabatt noch gibt: einen Kaffee, einen Gutschein, eine Stofftasche. ' +
    'Ihre Kundschaft zeigt einen Code, und die Kasse sagt, was Sie ausgeben.',
  new: 'Neue Prämie',
  none: 'Noch keine Prämie',
  open: 'Im Angebot',
  earlier: 'Beendet',
  status: { offered: 'Im Angebot', sold_out: 'Vergriffen', ended: 'Beendet' },
  item: 'Wird an der Kasse ausgegeben',
  amount: (worth: string) => `${worth} Rabatt an der Kasse`,
  cost: (worth: string) => `kostet Sie ${worth}`,
  ends: (when: string) => `Bis ${when}`,
  taken: (count: number, shown: string) =>
    count === 0 ? 'Noch nicht gewählt' : `${count === 1 ? 'Einmal' : `${shown}-mal`} gewählt`,
  left: (left: string, stock: string) => `Noch ${left} von ${stock} übrig`,
  endOf: (name: string) => `„${name}“ beenden`,
  end: 'Beenden',
  endWhat: 'Niemand kann sie mehr bekommen. Codes, die es dafür schon gibt, bleiben einlösbar.',
  keep: 'Weiter anbieten',
  wasEnded: 'Die Prämie ist beendet.',
  needsCurrency:
    'Verbinden Sie zuerst Ihr Kassensystem: Dann steht fest, in welcher Währung Sie verkaufen.',
  published: 'Die Prämie ist veröffentlicht.',
  publish: 'Veröffentlichen',
  fields: {
    name: 'Name',
    nameHint: 'Ihre Kundschaft und Ihr Team lesen ihn.',
    what: 'Was es gibt',
    kinds: { item: 'Etwas zum Mitnehmen', amount: 'Rabatt' },
    price: 'Preis in Punkten',
    valueOfItem: 'Ihre Kosten',
    valueOfAmount: 'Rabatt',
    valueHint: 'Höchstens das Zehnfache dessen, was die Punkte wert sind.',
    stock: 'Wie viele es gibt',
    stockHint: 'Ein nicht eingelöster Code gibt eine zurück. Leer: unbegrenzt.',
    ends: 'Ende',
    endsHint: 'Leer: ohne festes Ende.',
  },
  wrong: {
    name: 'Geben Sie einen Namen mit höchstens 60 Zeichen ein.',
    price: 'Geben Sie eine ganze Zahl von 1 bis 1.000.000 ein.',
    value: (example) => `Geben Sie einen Geldbetrag ein, etwa ${example}.`,
    generous: 'Das ist mehr als das Zehnfache dessen, was die Punkte wert sind.',
    stock: 'Geben Sie eine ganze Zahl von 1 bis 1.000.000 ein oder nichts.',
    ends: 'Wählen Sie einen künftigen Zeitpunkt, höchstens in zwei Jahren.',
  },
};
