import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** Signals that the code of a redemption was used, so that its run stops waiting for the expiry. */
export const redemptionClosed = defineSignal('redemptionClosed');

/** Completes once an attempt to connect a provider is settled; the attempt's row has the result. */
export const connected = defineUpdate<void>('connected');
