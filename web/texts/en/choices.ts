/** What the portal says of fields in which one of many is chosen. */
export const choiceTexts = {
  unknown: 'This is not in the list. Choose one of it.',
  all: (label: string) => `Show all: ${label}`,
} as const;
