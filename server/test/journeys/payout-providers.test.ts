import { MemoryProvider } from '../memory-provider.ts';
import { describeConformance } from '../payout-conformance.ts';

describeConformance('a provider in memory', async () => new MemoryProvider());
