import type { Defect } from './defects.ts';

const DECIDE = 'domain/tracking/decide';

/** Of loyalty programs, and of money that is not in dollars. */
export const OF_LOYALTY: readonly Defect[] = [
  {
    name: 'a paused loyalty program goes on earning',
    edits: [
      {
        file: `${DECIDE}/grant-rewards.ts`,
        from: "if (program.kind !== 'loyalty' || !isActiveAt(program, event.occurredAt)) continue;",
        to: "if (program.kind !== 'loyalty') continue;",
      },
      {
        file: 'domain/rewards/decide/earn-rewards.ts',
        from: "return program.kind !== 'loyalty' && hasStarted &&",
        to: 'return hasStarted &&',
      },
    ],
  },
  {
    name: 'who has left a loyalty program goes on earning',
    edits: [
      {
        file: `${DECIDE}/decide-membership.ts`,
        from: 'return spans.some(isInside) || !spans.some(hasLeft);',
        to: 'return spans.some(isInside) || spans.some(hasLeft);',
      },
    ],
  },
  {
    name: 'loyalty runs when a purchase is decided again',
    edits: [
      {
        file: `${DECIDE}/decide-event.ts`,
        from: 'const before = event.explanation?.rules;',
        to: 'const before = event.explanation?.rules && undefined;',
      },
    ],
  },
  {
    name: 'a percentage is in dollars whatever was paid',
    edits: [
      {
        file: `${DECIDE}/grant-rewards.ts`,
        from: '    currency: purchase.currency,\n    currencyExponent',
        to: "    currency: 'USD',\n    currencyExponent",
      },
    ],
  },
];
