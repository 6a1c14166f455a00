/** The header, in Temporal, that carries the ids of the requests which a run serves. */
export const CORRELATION_HEADER = 'correlation-ids';
