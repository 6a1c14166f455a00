import { byProvider, PROVIDERS, type Provider } from '../../domain/payment.ts';
import { alpha } from './alpha/index.ts';
import { beta } from './beta/index.ts';
import type { SimulatedProvider, Simulator } from './simulator.ts';

/** The simulated providers by their names. */
export const simulatedProviders: Readonly<Record<Provider, SimulatedProvider>> = { alpha, beta };

export type Simulators = Readonly<Record<Provider, Simulator>>;

/** Makes something for each provider, one after the other. */
export async function forEachProvider<T>(
  make: (provider: Provider) => Promise<T>,
): Promise<Record<Provider, T>> {
  const made = new Map<Provider, T>();
  for (const provider of PROVIDERS) made.set(provider, await make(provider));
  return byProvider((provider) => {
    const result = made.get(provider);
    if (result === undefined) throw new Error(`${provider} is missing.`);
    return result;
  });
}
