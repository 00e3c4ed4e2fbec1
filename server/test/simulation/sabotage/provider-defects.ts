import type { Defect } from './defects.ts';

const BALANCE = 'outbound/integrations/stripe/rewards/balance-provider.ts';
const ADOPTION = 'domain/rewards/advances/decide-adoption.ts';
const PAYPAL = 'outbound/integrations/paypal/provider.ts';

const MAIL_OUTCOME = 'outbound/mail/send/decide-outcome.ts';

/** Of what PayPal, Stripe and a mail server are asked for. */
export const OF_PROVIDERS: readonly Defect[] = [
  {
    name: 'a PayPal batch is sent again under a new id',
    edits: [
      {
        file: PAYPAL,
        from: 'sender_batch_header: { sender_batch_id: order.key,',
        to: "sender_batch_header: { sender_batch_id: order.key + (order.sentAt === null ? '' : '0'),",
      },
    ],
  },
  {
    name: 'an order of a month ago is sent to PayPal again',
    edits: [
      {
        file: PAYPAL,
        from: 'const REMEMBERED_MS = 29 * DAY_MS;',
        to: 'const REMEMBERED_MS = 290 * DAY_MS;',
      },
    ],
  },
  {
    name: 'a credit is given without its idempotency key',
    hidden:
      'the service asks what became of a call before it repeats it, and by then the call is over',
    edits: [{ file: BALANCE, from: '        { idempotencyKey: key },\n', to: '' }],
  },
  {
    name: 'a credit is not looked up before it is given again',
    edits: [
      {
        file: 'domain/rewards/delivery/deliver-rewards.ts',
        from: 'const isNew = delivery.intent === null;',
        to: 'const isNew = delivery.attempt > 0;',
      },
    ],
  },
  {
    name: 'a refund leaves a balance as it is',
    edits: [
      {
        file: 'domain/rewards/delivery/decide-delivery.ts',
        from: 'return due < 0n || (due > 0n && !row.isUnderReview);',
        to: 'return due > 0n && !row.isUnderReview;',
      },
    ],
  },
  {
    name: 'what Stripe has is not adopted after a restore',
    edits: [
      {
        file: ADOPTION,
        from: 'if (books.known.has(creditKey(credit))) continue;',
        to: 'continue;',
      },
    ],
  },
  {
    name: 'a credit that was taken back is taken back again after a restore',
    edits: [
      {
        file: ADOPTION,
        from: "return row.paidMinor + amountMinor === 0n ? 'take_back' : 'correct';",
        to: 'return null;',
      },
    ],
  },
  {
    name: 'a discount that is taken back stays on its subscription',
    edits: [
      {
        file: 'outbound/integrations/stripe/rewards/coupon-provider.ts',
        from: 'if (kept.length === discounts.length) continue;',
        to: 'if (kept.length <= discounts.length) continue;',
      },
    ],
  },
  {
    name: 'a transfer that was reversed stays paid',
    edits: [
      {
        file: 'outbound/integrations/stripe-connect/states.ts',
        from: 'if (amount_reversed < amount) return',
        to: 'if (amount_reversed <= amount) return',
      },
    ],
  },
  {
    name: 'somebody who unsubscribed gets mails',
    edits: [
      {
        file: MAIL_OUTCOME,
        from: "  if (found.hasOptedOut) return { state: 'suppressed', reason: 'unsubscribed' };\n",
        to: '',
      },
    ],
  },
  {
    name: 'a mail that may have been taken is sent again',
    edits: [
      { file: MAIL_OUTCOME, from: "    case 'unknown':\n", to: '' },
      {
        file: MAIL_OUTCOME,
        from: "      return { state: 'unknown', reason: 'connection_lost', dueAt: null };\n",
        to: '',
      },
      {
        file: MAIL_OUTCOME,
        from: "    case 'retry': {",
        to: "    case 'unknown':\n    case 'retry': {",
      },
    ],
  },
  {
    name: 'a mail server that is busy is not tried again',
    edits: [
      {
        file: MAIL_OUTCOME,
        from: 'if (dueAt === null) return',
        to: 'if (tries > 0) return',
      },
    ],
  },
  {
    name: 'money that comes back from somebody erased is owed to them',
    edits: [
      {
        file: 'outbound/payouts/transfers/apply-outcomes.ts',
        from: '.filter(({ beneficiaryParticipantId }) => erased.has(beneficiaryParticipantId))',
        to: '.filter(({ id }) => erased.has(id))',
      },
    ],
  },
];
