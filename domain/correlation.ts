/** The Temporal header that carries the correlation ids of the requests behind a run. */
export const CORRELATION_HEADER = 'correlation-ids';
