/** What the portal says of the poster that brings customers in. */
export const posterTexts = {
  open: 'Poster',
  title: 'Poster',
  lead: 'For the counter: customers scan it to join, and their next purchase earns points.',
  print: 'Print it',
  call: 'Collect points here',
  how: 'Scan it with your phone’s camera, and sign in.',
  qr: 'QR code of the address at which customers join',
} as const;
