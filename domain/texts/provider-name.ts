/** What people call a provider, by what the service calls it: Alpha. */
export function providerName(provider: string): string {
  return provider.charAt(0).toUpperCase() + provider.slice(1);
}
