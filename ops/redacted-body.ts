/** Words at the end of a field name whose text says what happened, not to whom. */
const SNAKE_CASE_ENDINGS =
  'id ids uid type status state result event source method currency unit version at time';
const CAMEL_CASE_ENDINGS = 'Id Ids Uuid Type Status State Currency Time Timestamp Date';
/** Whole field names of the same kind. */
const NAMES = 'object objects ts';

const SHOWN_TEXT = new RegExp(
  [
    `(^|_)(${anyOf(SNAKE_CASE_ENDINGS)})$`,
    `(${anyOf(CAMEL_CASE_ENDINGS)})$`,
    `^(${anyOf(NAMES)})$`,
  ].join('|'),
);

/** Names of fields whose numbers identify a person or a card. */
const HIDDEN_NUMBER = /phone|email|name|address|last_?4|bin|exp|card|birth|fingerprint|note/i;

const HIDDEN = '***';

/**
 * Redacts a provider's webhook for operators: they see its structure, ids, states, times and
 * amounts. All other texts are hidden, because they may be names or contacts. Null for a body that
 * is not JSON.
 */
export function redactedBody(body: Buffer): unknown {
  try {
    return redact(JSON.parse(body.toString('utf8')), '');
  } catch {
    return null;
  }
}

function redact(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => redact(item, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [redactName(key), redact(inner, key)]),
    );
  }
  if (typeof value === 'string') return SHOWN_TEXT.test(name) && isPlain(value) ? value : HIDDEN;
  return typeof value === 'number' && HIDDEN_NUMBER.test(name) ? HIDDEN : value;
}

/** Also hides a name that is itself data, as in a map by e-mail. */
function redactName(key: string): string {
  return isPlain(key) ? key : HIDDEN;
}

function isPlain(text: string): boolean {
  return /^[\w.:+/-]{0,128}$/.test(text) && !/^\+?\d{7,15}$/.test(text);
}

function anyOf(words: string): string {
  return words.replaceAll(' ', '|');
}
