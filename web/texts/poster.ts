/** What the portal says of the poster that brings customers in. */
export const posterTexts = {
  open: 'Poster',
  title: 'Poster',
  lead: 'For the counter: whoever scans it joins, and collects points from the next purchase on.',
  print: 'Print it',
  call: 'Collect points here',
  how: 'Scan it with your phone’s camera, and sign in.',
  qr: 'QR code of the address at which customers join',
} as const;
