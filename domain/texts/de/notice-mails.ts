import type { noticeMails as english } from '../en/notice-mails.ts';
import type { Texts } from '../texts.ts';

/** The words of mails and messages that people get without having asked for them then. */
export const noticeMails: Texts<typeof english> = {
  choose: 'Auswählen, worüber wir schreiben',

  points: {
    subject: ({ shop, points }) => `${points} bei ${shop} bekommen`,
    firstCame: ({ shop, points }) =>
      `Du hast bei ${shop} deine ersten Punkte bekommen: ${points}. Auf deinem Punktekonto ` +
      'siehst du, was sie wert sind.',
    broughtOver: ({ shop, points }) =>
      `${shop} hat übernommen, was du dort bisher gesammelt hast. Du hast ${points} bekommen. ` +
      'Auf deinem Punktekonto siehst du, was du dort jetzt hast und was das wert ist.',
    came: ({ shop, points }) =>
      `Du hast bei ${shop} ${points} bekommen. Auf deinem Punktekonto siehst du, was du dort ` +
      'jetzt hast.',
    onlyFirst:
      'Wir schreiben nur über die ersten Punkte in einem Geschäft, außer du willst es jedes Mal.',
    link: 'Punkte ansehen',
    stop: 'Keine E-Mails mehr über Punkte',
  },

  push: {
    points: ({ shop, points }) => `Du hast ${points} bei ${shop} bekommen`,
    used: ({ shop }) => `Bei ${shop} wurde ein Code von dir eingelöst`,
  },

  waiting: {
    heading: 'Administratoren',
    subject: ({ count, written }) =>
      count === 1 ? 'Ein Händler wartet auf Freigabe' : `${written} Händler warten auf Freigabe`,
    wait: ({ count, written }) =>
      count === 1
        ? 'Ein Händler hat sich beworben und kann nichts tun, bis ein Administrator entscheidet.'
        : `${written} Händler haben sich beworben und können nichts tun, bis ein Administrator ` +
          'entscheidet.',
    link: 'Ansehen, wer wartet',
    askSubject: ({ count, written }) =>
      count === 1 ? 'Ein Geschäft bittet um Punkte' : `Geschäfte bitten ${written}-mal um Punkte`,
    ask: ({ count, written }) =>
      (count === 1
        ? 'Ein Geschäft bittet aus Kulanz um Punkte für eine Person.'
        : `Geschäfte bitten aus Kulanz um Punkte für ${written} Personen.`) +
      ' Sie kommen erst, wenn jemand aus der Verwaltung sie gewährt.',
    askLink: 'Gewähren oder ablehnen',
    bothSubject: 'Bewerbungen und Bitten um Punkte warten auf Sie',
    stop: 'Keine E-Mails mehr darüber, wer wartet',
  },

  week: {
    subject: ({ shop }) => `Ihre Woche bei ${shop}`,
    sold: ({ from, to, count, sales, amount }) =>
      `Vom ${from} bis zum ${to} hatten Sie ${count === 0 ? 'keine Verkäufe' : sales}` +
      `${amount === null || count === 0 ? '' : ` im Wert von ${amount}`}.`,
    known: ({ percent }) => `An bekannte Kunden: ${percent}\u00a0%. Nur diese sammeln Punkte.`,
    points: ({ given, used }) => `Vergeben: ${given}. Eingelöst: ${used}.`,
    owed: ({ outstanding }) => `Ihre Kunden können noch ${outstanding} einlösen.`,
    lost: ({ provider }) =>
      `Verkäufe bei ${provider} bringen keine Punkte: Wir haben dort keinen Zugang mehr. ` +
      'Verbinden Sie das Konto noch einmal.',
    silent: ({ provider }) =>
      `Verkäufe bei ${provider} kommen nicht an. Sehen Sie sich im Portal die Tage dort an.`,
    endpointsOff: ({ count }) =>
      `${count === 1 ? 'Eine Adresse bekommt' : `${count} Adressen bekommen`} keine Webhooks ` +
      'mehr. Warum, steht in Ihrem Portal.',
    link: 'Portal öffnen',
    stop: 'Keine wöchentlichen E-Mails mehr',
  },
};
