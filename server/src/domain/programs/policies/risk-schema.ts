import Type from 'typebox';
import { Closed, OneOf, Opt } from '../../../platform/kit/schema.ts';
import { RISK_MODES, RISK_SIGNALS } from './risk-policy.ts';

export const Points = Type.Integer({ minimum: 0, maximum: 100 });

/** What a caller may say about a risk policy. */
export const riskChanges = {
  mode: Opt(
    OneOf(RISK_MODES, {
      description:
        '`off`: nothing is judged. `observe`: scores are kept and shown. `review`: rewards of a referral with a high score wait for a decision.',
    }),
  ),
  points: Opt(
    Closed(
      Object.fromEntries(RISK_SIGNALS.map((signal) => [signal, Opt(Points)])) as Record<
        (typeof RISK_SIGNALS)[number],
        ReturnType<typeof Opt<typeof Points>>
      >,
    ),
  ),
  reviewAt: Opt(
    Type.Integer({ minimum: 1, maximum: 100, description: 'The score from which it is reviewed.' }),
  ),
};
