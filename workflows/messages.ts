import { defineSignal } from '@temporalio/workflow';

/** Says that a redemption's code was used, so that its run need not wait for the expiry. */
export const redemptionClosed = defineSignal('redemptionClosed');
