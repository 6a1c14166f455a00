import type { tillTexts as english } from '../en/till.ts';
import type { Texts } from '../texts.ts';

/** What the till says. */
export const tillTexts: Texts<typeof english> = {
  title: 'Kasse',
  lead: 'Lösen Sie die Codes Ihrer Kundschaft ein.',
  pages: { take: 'Code einlösen', today: 'Heute' },
  shop: 'Geschäft',
  suspended:
    'Dieses Geschäft ist ausgesetzt. Codes lassen sich nicht einlösen; ihre Punkte kommen von ' +
    'selbst zurück.',
  offline: 'Keine Verbindung. Bis sie zurück ist, lassen sich keine Codes einlösen.',
  code: {
    label: 'Code',
    placeholder: 'Scannen oder eintippen',
    incomplete: 'Ein Code hat zwölf Zeichen, 0 bis 9 und A bis F.',
  },
  ready: {
    title: 'Bereit für den nächsten Code',
    how: 'Nehmen Sie einen Handscanner, tippen Sie den Code ein, oder schalten Sie die Kamera ein.',
  },
  camera: {
    on: 'Kamera einschalten',
    off: 'Ausschalten',
    aim: 'Halten Sie den Code vor die Kamera.',
    starting: 'Die Kamera startet …',
    foreign: 'Das ist kein Code für diese Kasse.',
    none: 'Hier gibt es keine Kamera. Tippen Sie den Code ein.',
    refused:
      'Die Kamera ist nicht erlaubt. Erlauben Sie sie im Browser, oder tippen Sie den Code ein.',
    broken: 'Der Scanner ließ sich nicht laden. Tippen Sie den Code ein.',
    picture: 'Was die Kamera sieht',
  },
  member: {
    open: 'Punkte für einen Beleg',
    title: 'Punkte für einen Beleg',
    ask:
      'Lassen Sie sich die Mitgliedskarte zeigen: Scannen Sie sie, oder tippen Sie die Nummer ' +
      'ein.',
    number: 'Mitgliedsnummer',
    look: 'Suchen',
    unknown: 'Diese Mitgliedsnummer gibt es nicht. Prüfen Sie sie noch einmal gemeinsam.',
    who: (initials: string, number: string) => `Mitglied ${initials}, ${number}`,
    receipt: 'Betrag und Uhrzeit stehen auf dem Beleg, den man Ihnen zeigt.',
    amount: (currency: string) => `Betrag ohne Trinkgeld${currency === '' ? '' : ` (${currency})`}`,
    time: 'Uhrzeit',
    noAmount: 'Geben Sie den Betrag wie auf dem Beleg ein, etwa 12,50.',
    find: 'Verkauf suchen',
    none:
      'Kein Verkauf mit diesem Betrag und dieser Uhrzeit ist noch frei. Prüfen Sie beides; ein ' +
      'Verkauf von eben braucht einen Moment, bis er hier ist.',
    found: 'Gefundene Verkäufe',
    sale: (time: string, receipt: string) => `um ${time} Uhr, Zahlung …${receipt}`,
    refunded: (amount: string) => `${amount} erstattet`,
    give: 'Punkte geben',
    done: (initials: string) => `für Mitglied ${initials}`,
    nothing: 'Für diesen Verkauf gibt es keine Punkte. Warum, steht in der App bei diesem Einkauf.',
  },
  found: {
    worth: 'Rabatt',
    of: (initials: string) => `Kunde: ${initials}`,
    until: (time: string) => `Einlösbar bis ${time} Uhr.`,
    take: (amount: string) => `${amount} abziehen`,
    handOut: (item: string) => `Ausgeben: ${item}`,
    another: 'Nicht jetzt',
  },
  state: {
    used: (when: string) => `Dieser Code wurde am ${when} Uhr eingelöst.`,
    usedBy: (when: string, who: string) =>
      `Dieser Code wurde am ${when} Uhr eingelöst, von ${who}.`,
    expired:
      'Dieser Code ist abgelaufen. Seine Punkte sind vielleicht schon zurück: Dann lässt sich ' +
      'ein ' +
      'neuer holen.',
    cancelled: 'Dieser Code wurde storniert. Seine Punkte sind zurück.',
    unknown: 'Diesen Code gibt es in diesem Geschäft nicht. Prüfen Sie ihn noch einmal gemeinsam.',
    elsewhere: 'Ziehen Sie nichts ab.',
  },
  trouble: {
    panel: 'Dieser Code',
    looking: 'Wird geprüft …',
    failed: 'Der Code wurde nicht geprüft.',
    unsure: (amount: string) =>
      `Ob der Code eingelöst ist, steht noch nicht fest. Versuchen Sie es noch einmal, bevor Sie ` +
      `${amount} abziehen: Er wird in jedem Fall nur einmal eingelöst.`,
    unsureOfItem: (item: string) =>
      'Ob der Code eingelöst ist, steht noch nicht fest. Versuchen Sie es noch einmal, bevor Sie ' +
      `„${item}“ ausgeben: Er wird in jedem Fall nur einmal eingelöst.`,
    waiting: (code: string) => `Als Nächstes: ${code}`,
    leave: 'Lassen',
  },
  done: {
    take: (amount: string) => `Ziehen Sie ${amount} vom Preis ab.`,
    handOut: (item: string) => `Geben Sie „${item}“ aus, und ziehen Sie nichts ab.`,
    next: 'Nächster Code',
  },
  today: {
    title: 'Heute',
    list: 'Heute eingelöste Codes',
    recent: 'Zuletzt eingelöst',
    all: 'Alles von heute',
    day: 'Tagesabschluss',
    empty: 'Heute wurde noch nichts eingelöst.',
    sum: (amount: string, count: string) => `${amount} Rabatt mit ${count}`,
    codes: (count: number) => (count === 1 ? '1 Code' : `${count} Codes`),
    of: (customer: string, who: string) => `Kunde ${customer} · eingelöst von ${who}`,
    somebody: 'jemandem aus dem Team',
  },
  lock: {
    lock: 'Kasse sperren',
    title: 'Die Kasse ist gesperrt',
    of: (name: string) => `Angemeldet: ${name}`,
    pin: 'PIN',
    clear: 'Leeren',
    first: 'Entsperren Sie zuerst die Kasse.',
    wrong: (left: number) =>
      left === 0
        ? 'Das war die fünfte falsche PIN: Sie sind abgemeldet.'
        : `Die PIN stimmt nicht. Noch ${left === 1 ? 'ein Versuch' : `${left} Versuche`}.`,
    signOut: 'Vergessen? Abmelden',
  },
  settings: {
    title: 'Diese Kasse',
    sound: 'Ton bei jedem Code',
    lock: 'Sperre',
    noPin: 'Mit einer PIN lässt sich die Kasse sperren; unbenutzt sperrt sie sich dann selbst.',
    hasPin: (time: string) =>
      `Die Kasse sperrt sich nach ${time} selbst. Wer sich abmeldet, entfernt die PIN.`,
    needsTls: 'Eine PIN lässt sich festlegen, wenn die Kasse über https geöffnet ist.',
    minutes: (count: number) => (count === 1 ? '1 Minute' : `${count} Minuten`),
    setPin: 'PIN festlegen',
    changePin: 'PIN ändern',
    removePin: 'PIN entfernen',
    newPin: 'Neue PIN',
    pinHint: 'Vier Ziffern. Sie öffnet diese Kasse auf diesem Gerät, sonst nichts.',
    again: 'Noch einmal',
    after: 'Sperren nach',
    savePin: 'Speichern',
    tooShort: 'Eine PIN hat vier Ziffern.',
    differs: 'Die beiden sind nicht gleich.',
  },
  leave: {
    open: 'Dieses Geschäft verlassen',
    title: (shop: string) => `Ihre Arbeit bei ${shop}`,
    what: (shop: string) =>
      `Sie können für ${shop} dann keine Codes mehr einlösen. Zurück geht es nur mit einer neuen ` +
      'Einladung.',
    submit: 'Verlassen',
    stay: 'Bleiben',
  },
  joined: {
    line: (shop: string) => `Sie können jetzt auch bei ${shop} arbeiten.`,
    change: 'Dorthin wechseln',
  },
  invite: {
    title: 'Sie sind eingeladen',
    lead:
      'Ein Geschäft lädt Sie ein, an seiner Kasse zu arbeiten. Melden Sie sich mit der ' +
      'E-Mail-Adresse an, an die die Einladung ging. Sind Sie neu hier, nehmen Sie sie mit der ' +
      'Anmeldung an.',
    from: (shop: string) => `${shop} lädt Sie ein, an der Kasse zu arbeiten.`,
    means:
      'Nehmen Sie an, können Sie die Codes der Kundschaft einlösen. Das Geschäft sieht Ihren ' +
      'Namen und Ihre E-Mail-Adresse, das Team Ihren Namen. Ihre eigenen Punkte bleiben, wie sie ' +
      'sind.',
    accept: 'Annehmen',
    decline: 'Ablehnen',
    accepted: (shop: string) => `Sie arbeiten jetzt für ${shop}.`,
    toTill: 'Zur Kasse',
    toPoints: 'Zu Ihren Punkten',
    over: {
      accepted: (shop: string) =>
        `Sie arbeiten nicht mehr für ${shop}. Bitten Sie um eine neue Einladung, wenn Sie ` +
        'zurückkommen möchten.',
      declined: (shop: string) =>
        `Sie haben abgelehnt, und nichts hat sich geändert. Überlegen Sie es sich anders, bitten ` +
        `Sie ${shop} um eine neue Einladung.`,
      withdrawn: (shop: string) => `${shop} hat diese Einladung zurückgezogen.`,
      lapsed: (shop: string) =>
        `Diese Einladung ist abgelaufen: Sie ist älter als 30 Tage. Bitten Sie ${shop} um eine ` +
        'neue.',
    },
    none:
      'Diese Einladung gilt nicht für die Adresse, mit der Sie angemeldet sind. Melden Sie sich ' +
      'mit der an, an die sie ging.',
    signedInAs: (email: string) => `Sie sind als ${email} angemeldet.`,
    open: 'Sie sind eingeladen',
    count: (count: number) => (count === 1 ? '1 Einladung' : `${count} Einladungen`),
    of: (shop: string) => `${shop} lädt Sie an die Kasse ein`,
  },
};
