import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** Signals the run that delivers a tenant's events that there are new ones. */
export const eventsWait = defineSignal('eventsWait');

/** Completes once an attempt to connect a provider is settled; the attempt's row has the result. */
export const connected = defineUpdate<void>('connected');
