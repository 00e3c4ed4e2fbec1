import { describeConformance } from '../payout-conformance.ts';
import { openConnectBench } from '../stripe/connect-bench.ts';

describeConformance('Stripe Connect', openConnectBench);
