import { Contradiction } from './model.ts';

/** Two readers were shown different things: a defect, unless points moved in between. */
export class Unsteady extends Contradiction {}
