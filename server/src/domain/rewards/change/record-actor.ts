import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import type { RewardRecord } from '../reward.ts';

/** Who records a grant or a take-back by calling: a person in the console, or a backend (D-RWD-6). */
export const recordActorOf = ({ actor }: Pick<WriteRequest, 'actor'>): RewardRecord['actor'] =>
  actor.type === 'user' ? 'console' : 'api';
