/** Words that people who use the apps should not meet, and what is said instead. */
const UNWANTED: readonly { word: RegExp; instead: string }[] = [
  { word: /\bconsumers?\b/i, instead: 'customer' },
  { word: /\boperators?\b/i, instead: 'staff' },
  { word: /\bproviders?\b/i, instead: 'point of sale' },
  { word: /\bnobody\b/i, instead: 'no customer, no one' },
  { word: /\b(?:run|runs|ran) out\b/i, instead: 'expire' },
  { word: /\bminor units?\b/i, instead: 'an amount of money' },
  { word: /\bversion \d/i, instead: 'since when the rule is in effect' },
  { word: /\bwhoever runs\b/i, instead: 'the address of the support' },
  { word: /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/i, instead: 'a name' },
];

/** Says which unwanted words a text has, but for those in addresses, of people and of pages. */
export function unwantedIn(shown: string): string[] {
  const text = shown.replace(/\S+@\S+|https?:\/\/\S+/g, '');
  return UNWANTED.flatMap(({ word, instead }) => {
    const [found] = word.exec(text) ?? [];
    return found === undefined ? [] : [`${found} (say: ${instead})`];
  });
}
