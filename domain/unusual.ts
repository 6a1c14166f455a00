/**
 * So many sales and codes of a person at a shop in any 24 hours are usual. More may be somebody who
 * earns, spends and returns again and again, or a till that credits other people's sales.
 */
export const USUAL_MOVEMENTS = 5;
