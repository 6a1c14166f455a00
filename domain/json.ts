/**
 * Parses a text as JSON; undefined if it is none. The parser's errors quote the text, so none is
 * passed on.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
