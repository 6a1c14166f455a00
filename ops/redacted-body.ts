/** Names of fields that say what happened and not to whom. */
const TELLING =
  /(^|_)(id|ids|uid|type|status|state|currency|at|time|version|method|unit|source|result|source_type|event)$|(Id|Ids|Uuid|Type|Status|State|Time|Timestamp|Date|Currency)$|^(object|objects|appId|ts)$/;

/** Numbers that lead to a person or a card. */
const PERSONAL = /phone|email|name|address|last_?4|bin|exp|card|birth|fingerprint|note/i;

const HIDDEN = '***';

/**
 * A provider's message as an operator may see it: its structure, ids, states, times and amounts.
 * Every other text is hidden, as may be names and contacts. Null when it is no JSON.
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
      Object.entries(value).map(([key, inner]) => [keyOf(key), redact(inner, key)]),
    );
  }
  if (typeof value === 'string') return TELLING.test(name) && isPlain(value) ? value : HIDDEN;
  return typeof value === 'number' && PERSONAL.test(name) ? HIDDEN : value;
}

/** A name that is data, as in a map by e-mail, is hidden as well. */
function keyOf(key: string): string {
  return isPlain(key) ? key : HIDDEN;
}

function isPlain(text: string): boolean {
  return /^[\w.:+/-]{0,128}$/.test(text) && !/^\+?\d{7,15}$/.test(text);
}
