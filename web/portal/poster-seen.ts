const SEEN = 'loyalty.portal.poster.';

/** Remembers on this device that somebody has looked at the poster of a shop. */
export function notePosterSeen(tenantId: string): void {
  localStorage.setItem(`${SEEN}${tenantId}`, 'seen');
}

/** Whether somebody has looked at the poster of a shop on this device. */
export function wasPosterSeen(tenantId: string): boolean {
  return localStorage.getItem(`${SEEN}${tenantId}`) !== null;
}
