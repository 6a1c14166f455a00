/** What the pages say before an app has started, by their English words. */
export const pageTexts: Readonly<Record<string, string>> = {
  'My points': 'Meine Punkte',
  Points: 'Punkte',
  'Points, codes and history in the shops that you buy from.':
    'Punkte, Codes und Verlauf in den Geschäften, in denen du einkaufst.',
  Till: 'Kasse',
  'Merchant portal': 'Händlerportal',
  'Back office': 'Verwaltung',
  'Loyalty points': 'Treuepunkte',
  'This page needs JavaScript.': 'Diese Seite braucht JavaScript.',
  'what you have, and what it is worth': 'was du hast und was es wert ist',
  'scan a code, and take it': 'einen Code scannen und einlösen',
  'your shop, its rules and its figures': 'Ihr Geschäft, seine Regeln und seine Zahlen',
  'approvals, people, wallets and the audit log':
    'Freigaben, Personen, Punktekonten und das Protokoll',
  'Build an app': 'Eine App entwickeln',
  'of your own, with what these are built on': 'eine eigene, mit dem, worauf diese beruhen',
};
