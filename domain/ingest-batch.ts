/**
 * How many tenants one run of ingestion may serve: a search attribute names no more in its 2 KiB.
 */
export const MAX_TENANTS_PER_RUN = 40;
