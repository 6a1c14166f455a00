import type { shopMails as english } from '../en/shop-mails.ts';
import type { Texts } from '../texts.ts';

/** What mails say to merchants, staff and administrators. */
export const shopMails: Texts<typeof english> = {
  invite: {
    unnamed: 'ein Geschäft',
    subject: ({ shop }) => `Einladung an die Kasse: ${shop}`,
    invited: ({ shop }) =>
      `Sie sind eingeladen, an der Kasse dieses Geschäfts Punkte einzulösen: ${shop}`,
    decide:
      'Um anzunehmen oder abzulehnen, melden Sie sich mit der E-Mail-Adresse an, an die diese ' +
      'Mail ging. Wenn Sie schon ein Konto haben, ändert sich nichts, solange Sie nicht annehmen.',
    link: 'Annehmen oder ablehnen',
    newcomers:
      'Wenn Sie neu sind, nimmt Ihre erste Anmeldung mit dieser Adresse die Einladung an, außer ' +
      'wenn mehrere Geschäfte Sie eingeladen haben.',
    lapses:
      'Die Einladung verfällt nach 30 Tagen. Wenn Sie sie nicht erwartet haben, müssen Sie ' +
      'nichts tun.',
  },

  change: {
    titles: {
      'operator.accept': 'Neu an der Kasse',
      'rule.publish': 'Neue Regel',
      'endpoint.create': 'Neue Webhook-Adresse',
      'endpoint.update': 'Webhook-Adresse geändert',
      'endpoint.rotate': 'Neues Webhook-Geheimnis',
      'tenant.set_currency': 'Währung berichtigt',
      'tenant.set_time_zone': 'Zeitzone berichtigt',
    },
    connectedTitle: ({ provider }) => `${provider} verbunden`,
    lostTitle: ({ provider }) => `Verkäufe bei ${provider} bringen keine Punkte`,
    stillLostTitle: ({ provider }) => `Verkäufe bei ${provider} bringen immer noch keine Punkte`,
    otherTitle: 'In Ihrem Geschäft hat sich etwas geändert',
    adminSubject: 'Noch jemand hat Zugang zur Verwaltung',
    administrators: 'Verwaltung',
    what: {
      'operator.accept': ({ person }) => `${person} arbeitet jetzt an der Kasse.`,
      'rule.publish': ({ unit, points }) =>
        unit === ''
          ? 'Eine neue Regel für Punkte wurde veröffentlicht.'
          : 'Eine neue Regel für Punkte wurde veröffentlicht. Nach ihr bringen je ' +
            `${unit} eines Verkaufs ${points}.`,
      'endpoint.create': ({ url }) =>
        `Die Ereignisse des Geschäfts gehen jetzt an eine weitere Adresse: ${url}`,
      'endpoint.update': ({ url }) =>
        `Eine Adresse, an die Ereignisse des Geschäfts gehen, ist jetzt eine andere: ${url}`,
      'endpoint.rotate': ({ url }) =>
        `Diese Adresse, an die Ereignisse des Geschäfts gehen, hat ein neues Geheimnis: ${url}`,
      'tenant.set_currency': ({ currencyBefore, currency }) =>
        `Die Währung wurde berichtigt: Sie war ${currencyBefore} und ist jetzt ${currency}.`,
      'tenant.set_time_zone': ({ zoneBefore, zone }) =>
        `Die Zeitzone wurde berichtigt: Sie war ${zoneBefore} und ist jetzt ${zone}.`,
      'connection.connect': ({ account, provider }) =>
        `Das Konto ${account} bei ${provider} wurde verbunden. Seine Verkäufe können jetzt ` +
        'Punkte bringen, und wer das Geschäft führt, sieht sie.',
      'connection.lost': ({ account, provider }) =>
        `Das Konto ${account} bei ${provider} lässt uns nicht mehr zu: Seine Verkäufe bringen ` +
        'keine Punkte, bis Sie es wieder verbinden. Sie gehen nicht verloren, wenn Sie das bald ' +
        'tun.',
      'user.role': ({ person }) => `${person} hat jetzt Zugang zur Verwaltung.`,
      'user.grant_admin': ({ person }) => `${person} hat jetzt Zugang zur Verwaltung.`,
      'user.bootstrap': ({ person }) => `${person} hat jetzt Zugang zur Verwaltung.`,
    },
    stillLost: ({ account, provider }) =>
      `Das Konto ${account} bei ${provider} lässt uns seit einem Tag nicht zu: Seine Verkäufe ` +
      'bringen keine Punkte, bis Sie es wieder verbinden. Tun Sie das bald, damit keiner ' +
      'verloren geht.',
    other: () => 'Im Protokoll steht mehr dazu.',
    somebody: 'jemand, der für den Dienst arbeitet',
    operators: 'der Betreiber des Dienstes',
    none: 'unbekannt',
    by: ({ who, at }) => `Das war ${who}, am ${at}.`,
    noticed: ({ at }) => `Wir haben es am ${at} bemerkt.`,
    stranger:
      'Sie haben das nicht erwartet? Dann ist vielleicht jemand anderes mit Ihrem Konto ' +
      'angemeldet, oder mit dem einer Person, die für Sie arbeitet: Machen Sie es rückgängig, ' +
      'ändern Sie Ihr Passwort und bitten Sie um Hilfe.',
    adminStranger:
      'Sie haben das nicht erwartet? Dann fragen Sie nach, und sperren Sie das Konto, bis Sie es ' +
      'wissen.',
    link: 'Verbundene Konten ansehen',
  },

  approval: {
    subject: ({ shop }) => `Es kann losgehen: ${shop}`,
    approved: ({ shop }) => `Ihr Antrag für ${shop} wurde angenommen: Sie können sich anmelden.`,
    next:
      'Verbinden Sie zuerst Ihr Kassensystem und legen Sie dann fest, was Ihre Kundschaft ' +
      'bekommt. Von da an bringt jeder Verkauf Punkte.',
    link: 'Mein Geschäft einrichten',
  },

  endpoint: {
    subject: ({ shop }) => `Webhooks werden nicht mehr gesendet: ${shop}`,
    disabled: ({ shop, url, days }) =>
      `Die Ereignisse von ${shop} gingen an ${url}. Seit ${days} Tagen hat diese Adresse keines ` +
      'angenommen; deshalb wird nichts mehr dorthin gesendet.',
    again:
      'Wenn sie wieder antwortet, schalten Sie die Adresse wieder ein. Sie bekommt dann, was ' +
      'inzwischen geschehen ist, soweit es nicht älter als 30 Tage ist.',
  },

  gap: {
    subject: ({ shop, provider }) => `Verkäufe bei ${provider} kommen nicht an: ${shop}`,
    found: ({ sales, provider, at }) =>
      `Seit dem ${at} hat ${provider} uns keinen Verkauf gemeldet, führt aber ${sales} auf. Wer ` +
      'dort gekauft hat, wartet auf Punkte.',
    look:
      'In Ihrem Portal sehen Sie die einzelnen Tage und können nachholen, was fehlt. Prüfen Sie ' +
      'dann, ob das Kassensystem online ist. Wenn ja, trennen Sie das Konto und verbinden Sie es ' +
      'neu.',
    link: 'Verbundene Konten ansehen',
  },

  import: {
    subject: ({ shop }) => `Ihre Mitglieder wurden übernommen: ${shop}`,
    revertedSubject: ({ shop }) =>
      `Die Übernahme Ihrer Mitglieder wurde rückgängig gemacht: ${shop}`,
    matched: ({ customers, count }) =>
      `${customers} ${count === 1 ? 'hat' : 'haben'} jetzt die Punkte aus Ihrer Datei.`,
    waiting: ({ customers, count }) =>
      `${customers} ${count === 1 ? 'hat' : 'haben'} sich noch nicht registriert. Die Punkte ` +
      'warten: ein Jahr, wenn Sie eine E-Mail-Adresse angegeben haben, 90 Tage, wenn es eine ' +
      'Telefonnummer war.',
    repeated: ({ customers, count }) =>
      `${customers} ${count === 1 ? 'stand' : 'standen'} mehrmals in Ihrer Datei oder ` +
      `${count === 1 ? 'wurde' : 'wurden'} schon früher übernommen: Nur das erste Mal zählt.`,
    reverted:
      'Die Punkte aus Ihrer Datei wurden Ihrer Kundschaft wieder abgezogen. Sie können die Datei ' +
      'noch einmal hochladen.',
    notTaken: ({ points }) => `Schon eingelöst und deshalb nicht abgezogen: ${points}.`,
    link: 'Importe ansehen',
  },

  goodwill: {
    grantedSubject: ({ shop, points }) => `${points} gewährt: ${shop}`,
    granted: ({ points }) =>
      `Sie haben aus Kulanz um ${points} für eine Person gebeten. Das wurde gewährt und ihr ` +
      'gutgeschrieben.',
    declinedSubject: ({ shop, points }) => `${points} nicht gewährt: ${shop}`,
    declined: ({ points }) =>
      `Sie haben aus Kulanz um ${points} für eine Person gebeten. Das wurde abgelehnt.`,
    because: ({ answer }) => `Der Grund: ${answer}`,
    link: 'Ansehen, worum Sie gebeten haben',
  },

  unusual: {
    subject: ({ shop }) => `Auffällige Bewegungen von Punkten: ${shop}`,
    found: ({ shop, count, customers, usual }) =>
      `Bei ${shop} ${count === 1 ? 'hatte' : 'hatten'} ${customers} innerhalb von 24 Stunden ` +
      `mehr als ${usual} Einkäufe und Codes.`,
    look:
      'In Ihrem Portal ist unter „Kundschaft“ gekennzeichnet, wer auffällig ist. Das kann einen ' +
      'guten Grund haben; oder Ware wird zurückgegeben, nachdem ihre Punkte eingelöst sind, oder ' +
      'Verkäufe werden der falschen Person zugeschrieben.',
  },
};
