/** What the number of a member is written after in a QR code. */
const PREFIX = 'LP1:';
const RANDOM_DIGITS = 11;

/** Makes a member number of eleven digits as they are drawn, and one that tells a mistake. */
export function newMemberNumber(draw: () => number): string {
  const digits = Array.from({ length: RANDOM_DIGITS }, draw).join('');
  return digits + luhnDigitOf(digits);
}

/** Writes a member's number as its QR code has it. */
export function qrTextOf(memberNumber: string): string {
  return PREFIX + memberNumber;
}

/** Reads a number as it was typed or scanned; undefined where it cannot be one. */
export function readMemberNumber(text: string): string | undefined {
  const number = text.replaceAll(/\s/g, '').replace(/^LP1:/i, '');
  if (!/^\d{12}$/.test(number)) return undefined;
  return luhnDigitOf(number.slice(0, RANDOM_DIGITS)) === number.at(-1) ? number : undefined;
}

/** The last digit of a number by ISO/IEC 7812-1: one wrong digit, or two exchanged, change it. */
function luhnDigitOf(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, nth) => {
    const doubled = Number(digit) * (nth % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
