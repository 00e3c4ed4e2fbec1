import { describeConformance } from '../payout-conformance.ts';
import { openPaypalBench } from '../paypal/bench.ts';

describeConformance('PayPal', openPaypalBench);
