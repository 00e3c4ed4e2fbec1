import type { ServiceMethod } from './decide-delivery.ts';
import type { RewardProvider } from './provider.ts';

/** The methods by which the service can deliver for a Project. */
export async function findConnected(
  providers: readonly RewardProvider[],
  projectId: string,
): Promise<ServiceMethod[]> {
  const connected = await Promise.all(
    providers.map(async (provider) =>
      (await provider.isConnected(projectId)) ? [provider.method] : [],
    ),
  );
  return connected.flat();
}
