import type { Db } from '../../../db/connection.ts';

/** The databases that this test file has open, and whose ledgers have to be whole. */
export const openDatabases = new Set<Db>();
