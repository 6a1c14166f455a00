import type { homeTexts as english } from '../en/home.ts';
import type { Texts } from '../texts.ts';

const sales = (count: string) => (count === '1' ? '1 Verkauf' : `${count} Verkäufe`);

/** What the portal says about the points of sale, and about how the shop does. */
export const homeTexts: Texts<typeof english> = {
  figures: {
    none: '–',
    sales: 'Verkäufe',
    salesOf: sales,
    known: 'Mit bekannter Kundschaft',
    knownOf: (known: string, all: string) =>
      `${known} von ${all} ${all === '1' ? 'Verkauf' : 'Verkäufen'}`,
    returning: 'Wiederkehrende Kundschaft',
    returningOf: (returning: string, all: string) =>
      `${returning} von ${all} ${all === '1' ? 'Person' : 'Personen'}`,
    nobody: 'Noch kein Einkauf bekannter Kundschaft',
    tooMany: 'Bei so vielen Personen nicht gezählt',
    average: 'Bekannte Kundschaft im Schnitt',
    others: (amount: string) => `${amount} bei unbekannter Kundschaft`,
    noOthers: 'Keine anderen Verkäufe zum Vergleich',
    used: 'Eingelöste Punkte',
    cost: (amount: string, earned: string) => `${amount} wert · ${earned} gesammelt`,
    owed: 'Offene Punkte',
    outstanding: (points: string) =>
      `${points === '1' ? '1 Punkt ist' : `${points} Punkte sind`} noch einlösbar`,
    debts: (points: string) => `${points} noch abzuziehen, nach Rückerstattungen`,
    up: (before: string) => `mehr als ${before} zuvor`,
    down: (before: string) => `weniger als ${before} zuvor`,
    same: 'wie zuvor',
  },
  chart: {
    by: 'Anzeigen',
    kinds: { money: 'Umsatz', points: 'Punkte' },
    titles: { money: 'Verkäufe im Zeitverlauf', points: 'Punkte im Zeitverlauf' },
    series: {
      money: ['Bekannte Kundschaft', 'Andere'],
      points: ['Gesammelt', 'Eingelöst'],
    },
    asTable: 'Dasselbe als Tabelle',
    from: 'Ab',
  },
  top: {
    title: 'Stammkundschaft',
    last: (ago: string) => `letzter Besuch ${ago}`,
    visits: (count: number, shown: string) => (count === 1 ? '1 Besuch' : `${shown} Besuche`),
  },
  health: {
    title: 'Wie es Ihren Kassensystemen geht',
    states: {
      good: 'Läuft',
      trouble: 'Störung',
      silent: 'Verkäufe fehlen',
      lost: 'Angehalten',
      disconnected: 'Getrennt',
    },
    named: (label: string, account: string) => `${label} (${account})`,
    lost: (name: string, since: string) => `${name} hat uns ${since} den Zugang entzogen.`,
    lostWhat:
      'Verkäufe dort bringen keine Punkte, bis Sie es wieder verbinden. Warten Sie nicht zu ' +
      'lange: ' +
      'Die der letzten Tage zählen dann noch.',
    reconnect: (label: string) => `${label} neu verbinden`,
    troubleWhat: 'Nicht alles konnte gelesen werden. Wir versuchen es von selbst weiter.',
    silent: (name: string, since: string) =>
      `${name} hat uns zuletzt ${since} einen Verkauf gemeldet.`,
    silentWhat:
      'Dort stehen aber spätere. Sehen Sie die Tage durch, um Fehlendes nachzutragen, und prüfen ' +
      'Sie, ob Ihr Kassensystem online ist.',
    seeDays: 'Tage ansehen',
    lastSale: (ago: string) => `letzter Verkauf ${ago}`,
    noSale: 'zuletzt kein Verkauf',
    nothing: 'Kein Kassensystem ist verbunden.',
    connect: 'Verbinden',
    today: (count: number, shown: string) =>
      count === 0 ? 'Heute noch kein Verkauf' : `Heute ${sales(count === 1 ? '1' : shown)}`,
    usual: (count: string) => `sonst um diese Zeit ${count}`,
    check: 'Prüfen',
  },
  latest: {
    title: 'Neuestes',
    empty: 'Noch ist nichts passiert',
    emptyText: 'Verkäufe und Codes erscheinen hier, sobald es sie gibt.',
    sale: (amount: string) => `Verkauf über ${amount}`,
    refundedSale: (amount: string) => `Verkauf über ${amount}, erstattet`,
    issued: (worth: string) => `Code für ${worth} Rabatt`,
    issuedItem: (item: string) => `Code für ${item}`,
    usedItem: (item: string) => `${item} ausgegeben`,
    used: (worth: string) => `${worth} Rabatt an der Kasse`,
    unknown: 'Kunde unbekannt',
    plus: (points: string) => `+${points}`,
  },
};
