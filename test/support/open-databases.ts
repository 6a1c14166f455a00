import type { Db } from '../../db/connection.ts';

/** The databases that this test file has open, which are verified after each of its tests. */
export const openDatabases = new Set<Db>();
