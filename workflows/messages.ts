import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** Says that a redemption's code was used, so that its run need not wait for the expiry. */
export const redemptionClosed = defineSignal('redemptionClosed');

/** Answers once an attempt to connect a provider is settled. How it ended is in its row. */
export const connected = defineUpdate<void>('connected');
