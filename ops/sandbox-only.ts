import { ProviderSettings, settingNames } from '../gateways/providers/index.ts';
import type { Call } from './command.ts';

const ENVIRONMENTS = settingNames().map(({ environment }) => environment);

/** Throws unless every provider is in its sandbox: what a command does would move real points. */
export function requireSandbox({ settings }: Pick<Call, 'settings'>): void {
  const given: Record<string, unknown> = settings(ProviderSettings);
  const said = ENVIRONMENTS.map((name) => `${name} is ${given[name]}`);
  if (ENVIRONMENTS.every((name) => given[name] === 'sandbox')) return;
  throw new Error(`This is only done where all providers are in sandbox: ${said.join(', ')}.`);
}
