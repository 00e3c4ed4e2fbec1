import { invalid } from '../kit/errors.ts';
import { type Instant, parseInstant } from '../kit/instant.ts';
import type { AdjustmentKind, TrackAdjustment } from './adjustment-schema.ts';
import { checkCurrency } from './check-currency.ts';
import { hashFacts } from './hash-facts.ts';
import { refuseIssues } from './refuse-issues.ts';

export interface SourceRef {
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string;
}

/** A refund, dispute or restoration in the one form that is hashed, stored and decided. */
export interface AdjustmentInput extends SourceRef {
  readonly kind: AdjustmentKind;
  readonly purchase: SourceRef;
  readonly restores: SourceRef | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly occurredAt: Instant;
  readonly factsHash: string;
}

/** Ends with INVALID_REQUEST, naming what does not fit together. */
export function normalizeAdjustment(body: TrackAdjustment): AdjustmentInput {
  const { sourceNamespaceId, sourceEventId, kind, amountMinor } = body;
  const { currency, issues } = checkCurrency(body, '');
  if (kind === 'restoration' && !body.restores) {
    issues.push({ path: 'restores', issue: 'is required: it names what is restored' });
  }
  if (kind !== 'restoration' && body.restores) {
    issues.push({ path: 'restores', issue: 'belongs to a restoration' });
  }
  refuseIssues(issues);
  const occurredAt = parseInstant(body.occurredAt);
  if (occurredAt === undefined) throw invalid('occurredAt', 'must be a time');
  const purchase: SourceRef = {
    sourceNamespaceId: body.purchase.sourceNamespaceId ?? sourceNamespaceId,
    sourceEventId: body.purchase.sourceEventId,
  };
  const restores = body.restores ?? null;
  return {
    sourceNamespaceId,
    sourceEventId,
    kind,
    purchase,
    restores: restores === null ? null : { sourceNamespaceId, sourceEventId: restores },
    amountMinor: BigInt(amountMinor),
    currency,
    occurredAt,
    factsHash: hashFacts({ kind, purchase, amountMinor, currency, occurredAt, restores }),
  };
}
