import type { programmeTexts as english } from '../en/programme.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of what a shop promises beyond its rule. */
export const programmeTexts: Texts<typeof english> = {
  lead:
    'Was neben der Regel gilt: ab wann und bis wann Punkte einlösbar sind, ob das Team Punkte ' +
    'für einen Beleg gibt und welche Stufen Ihre Kundschaft erreichen kann.',
  now: 'Jetzt',
  earlier: 'Früher',
  window: (days: number) =>
    days === 0
      ? 'Punkte sind sofort einlösbar'
      : `Punkte sind ${days} ${days === 1 ? 'Tag' : 'Tage'} nach dem Verkauf einlösbar`,
  validity: (months: number | null) =>
    months === null
      ? 'Punkte verfallen nie'
      : `Punkte verfallen ${months} ${months === 1 ? 'Monat' : 'Monate'} nach Ende des Kaufmonats`,
  tillAttach: (isOn: boolean) =>
    isOn
      ? 'Wer eine Mitgliedskarte zeigt, bekommt vom Team die Punkte eines Belegs'
      : 'Das Team gibt keine Punkte für Belege',
  since: (when: string) => `Seit ${when}`,
  none: 'Noch nichts festgelegt',
  change: 'Ändern',
  days: 'Wartezeit der Punkte nach einem Verkauf, in Tagen',
  daysHint:
    'So lange, wie Einkäufe zurückgegeben werden können, bis zu 90 Tage. 0: Punkte sind sofort ' +
    'einlösbar. Für frühere Verkäufe bleibt, was damals galt.',
  months: 'Punkte verfallen nach so vielen Monaten',
  monthsHint:
    'Ab Ende des Monats, in dem sie gesammelt wurden, höchstens 120. Leer: kein Verfall. ' +
    'Eine längere Frist gilt für alle Punkte, eine kürzere nur für die ab nächstem Monat ' +
    'gesammelten. Was bisher nie verfiel, gilt noch mindestens drei Monate.',
  notice: 'Hinweis per E-Mail, in Tagen vorher',
  noticeHint:
    'Gezählt bis zum letzten Tag des Monats, an dessen Ende Punkte verfallen: 7 bis 60 Tage.',
  effect: 'Was aus den Punkten wurde, nach Monaten',
  noEffect: 'Im letzten Jahr wurden keine Punkte gesammelt oder eingelöst.',
  month: 'Monat',
  earned: 'Gesammelt',
  used: 'Eingelöst',
  expired: 'Verfallen',
  attach:
    'Das Team darf die Punkte eines Belegs gutschreiben, wenn jemand eine Mitgliedskarte zeigt. ' +
    'Wer wie viele gegeben hat, sehen Sie unter „Mitarbeitende“.',
  timeZone: 'Zeitzone des Geschäfts',
  timeZoneHint: 'Danach zählen die Monate, darum bleibt sie dauerhaft.',
  tiers: {
    title: 'Stufen',
    what:
      'Wer innerhalb eines Jahres genug ausgibt, bekommt von da an mehr Punkte und behält die ' +
      'Stufe ein Jahr lang. Stufen werden jede Nacht vergeben: nach Verkäufen, die zwei Wochen ' +
      'zurückliegen und deren Punkte nicht mehr warten. Vervielfacht auch eine Aktion die ' +
      'Punkte, gilt der größere Faktor.',
    changes:
      'Wird eine Stufe umbenannt, bleibt sie allen erhalten; wird sie entfernt, verlieren sie ' +
      'alle.',
    needsCurrency:
      'Verbinden Sie zuerst Ihr Kassensystem: Dann steht fest, in welcher Währung Stufen zählen.',
    nth: (nth: number) => `Stufe ${nth}`,
    says: (name: string, amount: string, times: string | null) =>
      `${name} ab ${amount}: ${times === null ? 'die üblichen' : `${times}-fache`} Punkte`,
    name: 'Name',
    threshold: 'Ausgaben in einem Jahr',
    multiplier: 'Punktefaktor',
    add: 'Stufe hinzufügen',
    remove: (name: string) => `${name} entfernen`,
  },
  wrong: {
    days: 'Geben Sie eine ganze Zahl von 0 bis 90 ein.',
    tooLong: (most: number) =>
      `Punkte, die so bald verfallen, dürfen höchstens ${most} Tage lang warten.`,
    months: 'Geben Sie eine ganze Zahl von 1 bis 120 ein oder nichts.',
    notice: 'Geben Sie eine ganze Zahl von 7 bis 60 ein.',
    name: 'Geben Sie einen Namen mit höchstens 40 Zeichen ein.',
    threshold: (least: string, most: string) =>
      `Geben Sie einen Betrag von ${least} bis ${most} ein.`,
    sameThreshold: 'Dieser Betrag gehört schon zu einer anderen Stufe. Wählen Sie einen anderen.',
    multiplier:
      'Geben Sie eine Zahl von 1 bis 10 ein, etwa 1,25, mit höchstens drei Nachkommastellen.',
    less: 'Eine leichter erreichbare Stufe gibt mehr. Geben Sie mindestens deren Faktor ein.',
  },
  publish: 'Veröffentlichen',
  published: 'Die Bedingungen sind veröffentlicht.',
};
