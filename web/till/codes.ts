/** Twelve characters of which codes are made, in groups or not, with nothing else beside them. */
const CODE = /(?<![0-9A-Z])(?:[0-9A-F][\s-]*){11}[0-9A-F](?![0-9A-Z])/;

/** The number of a member's card in what was scanned: it says what it is before it. */
export function memberIn(text: string): string | undefined {
  return /^\s*LP1:((?:\s*\d){12})\s*$/i.exec(text)?.[1]?.replace(/\s/g, '');
}

/** The code in what was typed, pasted or scanned; small letters and groups do not matter. */
export function codeIn(text: string): string | undefined {
  return CODE.exec(text.toUpperCase())?.[0].replace(/[\s-]/g, '');
}
