import { z } from 'zod';
import { qrTextOf } from '../../domain/member-number.ts';

export const MemberCard = z
  .object({
    memberNumber: z.string().describe('Twelve digits, the last of which tells a mistake.'),
    qr: z.string().describe('What the QR code to be scanned at tills says.'),
  })
  .meta({ id: 'MemberCard' });

const memberNumber = '079927398713';
export const memberCardExample = { memberNumber, qr: qrTextOf(memberNumber) };

/** Builds the response body of a member's card. */
export function memberCardOf(number: string) {
  return { memberNumber: number, qr: qrTextOf(number) };
}
