import type { Accounts } from './accounts.ts';
import type { Deployment } from './deployment.ts';
import type { Consumer } from './shops.ts';

/** What one operation works with; all that it draws it draws before it waits for anything. */
export type Turn = { deployment: Deployment; accounts: Accounts; consumer: Consumer; draw: Draw };

/** Draws a whole number from `least` up to but not including `below`. */
export type Draw = (least: number, below: number) => number;
