import { describeConformance } from '../payout-conformance.ts';
import { openWiseBench } from '../wise/bench.ts';

describeConformance('Wise', openWiseBench);
