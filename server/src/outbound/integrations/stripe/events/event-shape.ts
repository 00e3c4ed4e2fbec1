import type Stripe from 'stripe';
import Type, { type TSchema } from 'typebox';
import { type Check, compileCheck } from '../../../../platform/http/routes/validate.ts';
import { AppError } from '../../../../platform/kit/errors.ts';
import { Nullable } from '../../../../platform/kit/schema.ts';

const AMOUNT_MAX = 1e15;
/** The end of the year 9999, in seconds. */
const TIME_MAX = 253_402_300_799;

const Id = Type.String({ minLength: 1, maxLength: 255 });
const Amount = Type.Integer({ minimum: -AMOUNT_MAX, maximum: AMOUNT_MAX });
const Time = Type.Integer({ minimum: 0, maximum: TIME_MAX });
const Named = Type.Union([Id, Type.Object({ id: Id }), Type.Null()]);
const Metadata = Type.Optional(Nullable(Type.Record(Type.String(), Type.String())));
const about = { customer: Type.Optional(Named), metadata: Metadata };

const Invoice = Type.Object({
  id: Id,
  ...about,
  currency: Type.String(),
  total: Amount,
  amount_paid: Amount,
  total_excluding_tax: Type.Optional(Nullable(Amount)),
  total_taxes: Type.Optional(Nullable(Type.Array(Type.Object({ amount: Amount })))),
  status_transitions: Type.Object({ paid_at: Nullable(Time) }),
});
const Payment = Type.Object({
  invoice: Named,
  payment: Type.Object({
    payment_intent: Type.Optional(Named),
    charge: Type.Optional(Named),
  }),
});
const Reversal = Type.Object({
  id: Id,
  amount: Amount,
  currency: Type.String(),
  created: Time,
  payment_intent: Type.Optional(Named),
  charge: Type.Optional(Named),
});
const Subscription = Type.Object({
  id: Id,
  ...about,
  status: Type.String(),
  items: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Id,
        price: Type.Object({ id: Id }),
        current_period_start: Time,
        current_period_end: Time,
      }),
    ),
  }),
});
const Customer = Type.Object({ id: Id, metadata: Metadata });

/** The fields that are read, by prefix of the event's type; other fields may have any shape. */
const OBJECTS: readonly (readonly [prefix: string, object: TSchema])[] = [
  ['invoice.paid', Invoice],
  ['invoice_payment.paid', Payment],
  ['refund.', Reversal],
  ['charge.dispute.', Reversal],
  ['customer.subscription.', Subscription],
  ['customer.created', Customer],
  ['customer.updated', Customer],
];

const checks = OBJECTS.map(([prefix, object]): [string, Check] => [prefix, checkOf(object)]);
const checkOthers = checkOf(Type.Unknown());

function checkOf(object: TSchema): Check {
  return compileCheck(
    Type.Object({
      id: Id,
      type: Type.String(),
      created: Time,
      livemode: Type.Boolean(),
      data: Type.Object({ object }),
    }),
    'body',
  );
}

/** Fails with INVALID_REQUEST for a signed body that is not an event in Stripe's shape. */
export function assertShape(event: Stripe.Event): void {
  const own = checks.find(([prefix]) => String(event.type).startsWith(prefix));
  (own?.[1] ?? checkOthers)(event);
  // PostgreSQL's text type cannot store it.
  if (JSON.stringify(event).includes('\\u0000')) {
    throw new AppError('INVALID_REQUEST', 'The body has a NUL character.');
  }
}
