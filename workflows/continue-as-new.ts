import { makeContinueAsNewFunc, type Workflow } from '@temporalio/workflow';

/**
 * Continues a run as a new one, by the current release where runs stay with the release that began
 * them: a chain that always goes on would keep the workers of an old one for as long.
 */
export function continueWithCurrentRelease<Continued extends Workflow>(
  ...args: Parameters<Continued>
): Promise<never> {
  return makeContinueAsNewFunc<Continued>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...args);
}
