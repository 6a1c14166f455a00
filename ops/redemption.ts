import { getRedemption, type RedemptionTrail } from '../db/redemptions/trail.ts';
import { RedemptionId } from '../domain/ids.ts';
import { type Command, describeFields, onlyArgument, parseId } from './command.ts';

export const showRedemption: Command = {
  usage: 'redemption show ID',
  summary: 'Shows a redemption: status, times, mails, the run that follows it',
  async run({ args, db }) {
    const id = parseId(RedemptionId, onlyArgument(args, 'ID'), 'ID');
    const redemption = await getRedemption(db, id);
    const workflow = workflowOf(redemption);
    const text = `${describeFields(redemption)}\nWorkflow\n${describeFields(workflow)}`;
    return { data: { ...redemption, workflow }, text };
  },
};

/** How to find the run in Temporal, which is named after the first redemption of its batch. */
function workflowOf({ followedBy }: RedemptionTrail) {
  return followedBy === null ? {} : { query: `RunId = "${followedBy}"` };
}
