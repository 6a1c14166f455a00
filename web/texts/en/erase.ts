/** What the page of the wallet says on which people ask to be erased. */
export const eraseTexts = {
  who:
    'Your name, e-mail address, phone number and member number are erased here, for all shops ' +
    'at once.',
  points: 'All your points and codes end, at all shops. They do not come back.',
  when: 'It begins in 72 hours. Until then a button above your points keeps your account.',
  mail: (email: string) => `A mail to ${email} says when.`,
  stays: 'What you bought stays in the books of the shops, without saying that it was you.',
  anew: 'Your sign-in is not part of it. If you use it here again, you begin anew, with no points.',
  staff:
    'You work at the till of a shop, so you cannot erase your account by yourself. The support ' +
    'address can.',
  loss: 'What you lose',
  held: (points: string, worth: string) => `${points}, worth ${worth}`,
  heldFor: (points: string, worth: string) => `${points}, for ${worth}`,
  codeAt: (shop: string) => `${shop}, code`,
  sure: (points: string) => `I lose ${points}, and once it has begun it cannot be undone.`,
  sureOfNothing: 'I know that once it has begun it cannot be undone.',
} as const;
