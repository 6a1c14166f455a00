import type { walletTexts as english } from '../en/wallet.ts';
import type { Texts } from '../texts.ts';

/** What the wallet says. */
export const walletTexts: Texts<typeof english> = {
  title: 'Meine Punkte',
  lead: 'Deine Punkte in allen Geschäften, was sie wert sind, und Codes dafür.',
  pages: { wallets: 'Punkte', codes: 'Codes' },
  join: {
    gate: 'Punkte sammeln',
    gateLead: 'Melde dich an: Deine Punkte in diesem Geschäft warten schon auf dich.',
    title: (shop: string) => `Punkte sammeln bei ${shop}`,
    how:
      'Ab dann bringt dir jeder Einkauf dort Punkte: Nenn an der Kasse deine E-Mail-Adresse oder ' +
      'Telefonnummer.',
    submit: 'Mitmachen',
    member: (shop: string) => `Du sammelst Punkte bei ${shop}`,
    look: 'Ansehen',
  },
  card: {
    open: 'Deine Mitgliedskarte',
    openHow: 'Zeig sie an der Kasse, wenn du keine E-Mail-Adresse oder Telefonnummer genannt hast.',
    back: 'Deine Punkte',
    title: 'Mitgliedskarte',
    number: 'Deine Mitgliedsnummer',
    how:
      'Zeig sie mit deinem Beleg an der Kasse: Das Team trägt die Punkte für deinen Einkauf ' +
      'nach.',
    qr: (number: string) => `QR-Code der Mitgliedsnummer ${number}`,
    replace: 'Neue Nummer holen',
    replaceTitle: 'Neue Mitgliedsnummer?',
    replaceWhat: 'Die bisherige Nummer gilt dann nicht mehr. Deine Punkte bleiben, wie sie sind.',
  },
  live: 'Live',
  asOf: (time: string) => `Keine Verbindung. Stand von ${time} Uhr.`,
  contacts: {
    looking:
      'Wir suchen nach deinen früheren Einkäufen. Was sie bringen, erscheint hier von selbst.',
    emailTitle: 'Bestätige deine E-Mail-Adresse',
    email: (address: string) =>
      `Einkäufe mit ${address} bringen erst Punkte, wenn die Adresse bestätigt ist. Öffne den ` +
      'Link ' +
      'in der Mail, die du bei der Registrierung bekommen hast, und melde dich neu an.',
    phoneTitle: 'Bestätige deine Telefonnummer',
    phone: (phone: string) =>
      `Einkäufe mit ${phone} bringen erst Punkte, wenn die Nummer dort bestätigt ist, wo du dich ` +
      'registriert hast. Melde dich danach neu an.',
    done: 'Ist bestätigt',
    noPhoneTitle: 'Sammle auch mit deiner Telefonnummer',
    noPhone:
      'Manche Geschäfte kennen dich nur über deine Telefonnummer. Ergänze sie dort, wo du dich ' +
      'registriert hast, und melde dich neu an: Dann bringen auch diese Einkäufe Punkte.',
    notNow: 'Nicht jetzt',
  },
  install: {
    title: 'Als App auf dein Handy',
    what: 'Deine Punkte und deine Karte öffnen sich vom Startbildschirm aus, wie jede andere App.',
    steps:
      'Tippe im Browser auf „Teilen“, dann auf „Zum Home-Bildschirm“: So öffnen sich deine ' +
      'Punkte ' +
      'wie jede andere App.',
    submit: 'Hinzufügen',
    no: 'Nein, danke',
  },
  ownData: {
    title: 'Deine Daten',
    what:
      'Was über dich gespeichert ist, in einer Datei: deine Punkte und woher sie kommen, deine ' +
      'Codes und deine Einkäufe. Du kannst sie dreimal am Tag laden.',
    download: 'Meine Daten laden',
    name: 'meine-punkte.json',
    erase: 'Konto endgültig löschen',
  },
  erasing: {
    when: (moment: string) => `Dein Konto wird am ${moment} Uhr gelöscht.`,
    what: 'Mit ihm gehen dein Name, deine Adressen, deine Punkte und Codes, in allen Geschäften.',
    keep: 'Konto behalten',
    kept: 'Dein Konto bleibt, mit allen Punkten.',
  },
  wallets: {
    list: 'Deine Geschäfte',
    empty: 'Noch keine Punkte',
    emptyHow: (contacts: readonly string[]) =>
      contacts.length === 0
        ? 'Einkäufe bringen Punkte, sobald deine E-Mail-Adresse oder Telefonnummer bestätigt ist.'
        : `Zahl in einem Geschäft, das mitmacht, und nenn dort ${contacts.join(' oder ')}: Deine ` +
          'Punkte erscheinen hier von selbst.',
    worth: (amount: string) => `${amount} wert`,
    ready: (amount: string) => `Jetzt bis zu ${amount} Rabatt`,
    toGo: (points: string) => `noch ${points}`,
    frozen: 'Gesperrt',
    waiting: (points: string) => `davon ${points} ausstehend`,
  },
  open: {
    title: 'Codes, die du jetzt nutzen kannst',
    until: (time: string) => `bis ${time} Uhr`,
  },
  invites: {
    title: 'Einladungen',
    from: (shop: string) => `${shop} lädt dich ein, an der Kasse zu arbeiten`,
  },
  rewards: {
    title: 'Prämien',
    short: 'Holen',
    get: (name: string) => `${name} holen`,
    getFor: (points: string) => `Für ${points}`,
    life: 'Du bekommst einen Code für 15 Minuten. Zeig ihn an der Kasse.',
    left: (count: string) => `noch ${count} da`,
    soldOut: 'Zurzeit vergriffen',
    open: 'Du hast schon einen Code dafür.',
    toGo: (points: string) => `dir fehlen ${points}`,
  },
  tier: {
    title: 'Deine Stufe',
    none: 'Stufen',
    brings: (times: string) => `${times}-fache Punkte`,
    until: (day: string) => `Gilt bis ${day}`,
    reached: (name: string) => `Du hast ${name} erreicht. Die Stufe gilt innerhalb eines Tages.`,
    toGo: (amount: string, name: string) => `Noch ${amount} bis ${name}`,
    nextBrings: (name: string, times: string) => `${name} bringt ${times}-fache Punkte.`,
    counts: (days: number) =>
      `Einkäufe zählen nach ${days === 14 ? 'zwei Wochen' : `${days} Tagen`}, für ein Jahr.`,
  },
  offers: { title: 'Aktionen', until: (day: string) => `Bis ${day}` },
  wallet: {
    back: 'Punkte',
    redeem: 'Einlösen',
    frozen: 'Dieses Punktekonto ist gesperrt, Einlösen geht nicht. Frag das Geschäft, warum.',
    owed: (points: string) =>
      'Ein Einkauf wurde erstattet, nachdem du seine Punkte eingelöst hattest. Deine nächsten ' +
      `Punkte gleichen das aus: noch ${points === '1' ? '1 Punkt' : `${points} Punkte`}.`,
    waiting: (points: string, from: string) =>
      `Ausstehend: ${points}, bis die Einkäufe nicht mehr zurückgegeben werden können. Die ` +
      'ersten ' +
      `sind ab ${from} Uhr einlösbar.`,
    toSpend: (amount: string) => `Noch Einkäufe für etwa ${amount}, dann kannst du einlösen.`,
    notNow: 'Heute lässt sich nichts mehr einlösen. Versuch es morgen wieder.',
    noConnection: 'Zum Einlösen brauchst du eine Verbindung.',
  },
  visits: {
    title: 'Verlauf',
    filter: 'Was angezeigt wird',
    filters: { all: 'Alles', payment: 'Gesammelt', redemption: 'Eingelöst' },
    empty: {
      all: 'Hier ist noch nichts passiert.',
      payment: 'Noch keine Einkäufe.',
      redemption: 'Du hast hier noch keine Punkte eingelöst.',
    },
    notKept: 'Das ist nicht auf dem Handy gespeichert',
    notKeptWhy:
      'Mit der Verbindung kommt es wieder. Ohne sie siehst du hier nur deine Geschäfte und Punkte.',
    why: 'Warum?',
    whyOf: (what: string, when: string) => `Warum? ${what}, ${when}`,
    balance: (points: string) => `Danach hattest du ${points}.`,
    bought: (day: string) => `gekauft am ${day}`,
    off: (amount: string) => `${amount} Rabatt`,
    refunded: (amount: string) => `Davon ${amount} erstattet.`,
    refundedWhole: 'Ganz erstattet.',
    reasons: {
      purchase: 'Einkauf',
      redemption: 'Code',
      redemption_expired: 'Code nicht genutzt: Punkte zurück',
      payment_refunded: 'Rückerstattung',
      admin_adjustment: 'Korrektur',
      points_expired: 'Verfallen',
    },
  },
  redeem: {
    title: 'Punkte einlösen',
    slider: 'Wie viele Punkte',
    presets: 'Beträge zur Auswahl',
    all: (amount: string) => `Alles: ${amount}`,
    fewer: 'Weniger Punkte',
    more: 'Mehr Punkte',
    off: (amount: string) => `${amount} Rabatt`,
    left: (points: number, shown: string) => {
      if (points === 0) return 'alle';
      return points === 1 ? '1 bleibt' : `${shown} bleiben`;
    },
    submit: 'Code holen',
    life: 'Der Code gilt 15 Minuten. Hol ihn, wenn du an der Kasse bist.',
  },
  codes: {
    title: 'Codes',
    list: 'Deine Codes',
    empty: 'Noch keine Codes',
    emptyHow: 'Ein Code macht aus Punkten einen Rabatt. Hol ihn, wenn du an der Kasse bist.',
    toPoints: 'Zu deinen Punkten',
    status: {
      issued: 'Einlösbar',
      used: 'Eingelöst',
      expired: 'Abgelaufen',
      cancelled: 'Storniert',
    },
  },
  code: {
    back: 'Codes',
    title: (amount: string) => `${amount} Rabatt`,
    at: (shop: string) => `bei ${shop}`,
    show: 'Zeig das an der Kasse',
    qr: (code: string) => `QR-Code zu ${code}`,
    enlarge: 'QR-Code auf dem ganzen Bildschirm zeigen',
    copy: 'Code kopieren',
    copied: 'Kopiert',
    left: (minutes: number, seconds: string) => `noch ${minutes}:${seconds}`,
    saved: (amount: string, shop: string) => `${amount} Rabatt bei ${shop}`,
    got: (item: string, shop: string) => `${item} von ${shop}`,
    used: (when: string) => `Eingelöst am ${when} Uhr.`,
    expired: 'Dieser Code ist abgelaufen.',
    cancelled: 'Dieser Code wurde storniert.',
    pointsBack: (points: string) => `Du hast ${points} zurückbekommen.`,
    nowHave: (points: string, amount: string) => `Du hast ${points} im Wert von ${amount}.`,
    another: 'Neuen Code holen',
    toWallet: 'Zu deinen Punkten',
    cancel: 'Code stornieren',
    cancelTitle: 'Diesen Code stornieren?',
    cancelWhat: (points: string) =>
      `Er lässt sich dann nicht mehr einlösen, und du bekommst ${points} zurück.`,
    keep: 'Behalten',
  },
};
