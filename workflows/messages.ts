import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** Signals the run that delivers a tenant's events that there are new ones. */
export const eventsWait = defineSignal('eventsWait');

/** Has what is missing of a day that is compared brought in, by the run that is under way, too. */
export const bringIn = defineSignal('bringIn');

/** Completes once an attempt to connect a provider is settled; the attempt's row has the result. */
export const connected = defineUpdate<void>('connected');
