import type Stripe from 'stripe';
import Type, { type TSchema } from 'typebox';
import { badSignature } from '../../../../platform/http/routes/hook-routes.ts';
import type { SignedBody } from '../../../../platform/http/routes/route.ts';
import { type Check, compileCheck } from '../../../../platform/http/routes/validate.ts';
import { AppError } from '../../../../platform/kit/errors.ts';
import { Nullable } from '../../../../platform/kit/schema.ts';
import { loadStripe } from '../connections/load-stripe.ts';

/** The maximum age of a signature, and how far ahead Stripe's clock may be. */
const TOLERANCE_S = 300;
/**
 * From this version on, invoices name their subscription and payments their invoice as we read
 * them.
 */
const API_VERSION_MIN = '2025-03-31';

/**
 * Parses the event, if one of the secrets signed the body within 300 seconds of `nowMs`. Throws
 * INVALID_REQUEST `invalid_signature`.
 */
export async function readEvent(
  { bytes, signature }: Pick<SignedBody, 'bytes' | 'signature'>,
  secrets: readonly string[],
  nowMs: number,
): Promise<Stripe.Event> {
  const { webhooks } = await loadStripe();
  const isSigned =
    !isAhead(signature, nowMs) &&
    secrets.some((secret) => isSignedWith(webhooks, secret, { bytes, signature }, nowMs));
  if (!isSigned) {
    throw badSignature(
      'The Stripe-Signature does not match the body, or is not from the last 300 seconds.',
    );
  }
  const event = parse(bytes);
  if (event?.object !== 'event' || typeof event.id !== 'string') {
    throw refuse('snapshot_required', 'This is not a snapshot event from Stripe.');
  }
  return event as Stripe.Event;
}

/** The package checks only for signatures that are too old. */
function isAhead(signature: string, nowMs: number): boolean {
  const signedS = Number(/(?:^|,)\s*t=(\d+)/.exec(signature)?.[1] ?? 0);
  return signedS * 1_000 > nowMs + TOLERANCE_S * 1_000;
}

/** The package throws for a wrong signature, and in several ways for a malformed header. */
function isSignedWith(
  { signature: check }: Stripe.Webhooks,
  secret: string,
  { bytes, signature }: Pick<SignedBody, 'bytes' | 'signature'>,
  nowMs: number,
): boolean {
  try {
    return check?.verifyHeader(bytes, signature, secret, TOLERANCE_S, undefined, nowMs) ?? false;
  } catch {
    return false;
  }
}

function parse(bytes: Buffer): Partial<Stripe.Event> | null {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON.');
  }
}

/** Fails with INVALID_REQUEST for an event of another account or mode than this connection's. */
export function assertOwn(event: Stripe.Event, livemode: boolean): void {
  if (event.livemode !== livemode) {
    const mode = livemode ? 'live' : 'test';
    throw refuse('livemode_mismatch', `The connection is in ${mode} mode, but this event is not.`);
  }
  if (event.account !== undefined) {
    throw refuse('foreign_account', 'This event is from an account that is connected to yours.');
  }
  if ((event.api_version ?? '').slice(0, API_VERSION_MIN.length) < API_VERSION_MIN) {
    throw refuse(
      'api_version_unsupported',
      `This event has the format of Stripe's API version ${event.api_version}. Set the endpoint to version ${API_VERSION_MIN} or later.`,
    );
  }
}

function refuse(reason: string, message: string): AppError {
  return new AppError('INVALID_REQUEST', message, { reason });
}

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
const Charge = Type.Object({
  id: Id,
  ...about,
  payment_method_details: Type.Optional(
    Nullable(
      Type.Object({
        card: Type.Optional(Nullable(Type.Object({ fingerprint: Type.Optional(Nullable(Id)) }))),
      }),
    ),
  ),
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
  ['charge.succeeded', Charge],
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
