import { loadBook } from '../../../domain/programs/load-book.ts';
import { type Difference, difference, differencesOf } from '../findings.ts';
import { type AuditedEvent, listAuditedEvents } from '../stores/fact-store.ts';
import { countRows } from '../stores/page-store.ts';
import { type CheckContext, isCreditedFor, walk } from './check-context.ts';
import { checkVerdict } from './check-risk.ts';

/** Every event created exactly what its type and its decision require. */
export async function checkEvents(context: CheckContext): Promise<void> {
  const { tx, projectId } = context;
  const total = await countRows(tx, projectId, 'events');
  const pages = listAuditedEvents(tx, projectId);
  const book = await loadBook(tx, projectId);
  await walk(context, { what: 'events', total, pages }, (event) => {
    const risk = event.explanation?.risk;
    const scores = risk ? checkVerdict(event.id, risk, book) : [];
    context.report([...checkMade(event), ...checkDecision(event), ...scores]);
  });
}

/**
 * One signup per person, a purchase if there are amounts, and the rewards listed in the
 * explanation.
 */
function checkMade(event: AuditedEvent): Difference[] {
  const { id, purchaseId } = event;
  const signups =
    event.type === 'signup' ? differencesOf('event', id, event, { signupEventId: id }) : [];
  const hasPurchase = purchaseId !== null;
  const purchases =
    hasPurchase === event.hasAmounts
      ? []
      : [difference(['event', id], 'purchase', purchaseId, event.hasAmounts ? 'one row' : null)];
  const explained = (event.explanation?.rules ?? []).flatMap(({ rewardId, isRegained }) =>
    rewardId === null || isRegained ? [] : [rewardId],
  );
  const rewards = differencesOf(
    'event',
    id,
    { rewards: (event.rewardIds ?? []).toSorted() },
    { rewards: explained.toSorted() },
  );
  return [...signups, ...purchases, ...rewards];
}

const PENDING_REASONS = ['awaiting_attribution', 'retry_scheduled'];
const FAILED_REASON = 'attempts_exhausted';

function checkDecision(event: AuditedEvent): Difference[] {
  const { id, processingState: state, processingReason: reason } = event;
  const found: Difference[] = [];
  const expect = (holds: boolean, field: keyof AuditedEvent, expected: string | null) => {
    if (!holds) found.push(difference(['event', id], field, event[field], expected));
  };
  const stateOfReason = PENDING_REASONS.includes(reason)
    ? 'pending'
    : reason === FAILED_REASON
      ? 'failed'
      : 'processed';
  expect(state === stateOfReason, 'processingState', stateOfReason);
  const waits = event.nextAttemptAt !== null;
  expect(waits === (state === 'pending'), 'nextAttemptAt', waits ? null : 'a time');
  expect(state !== 'processed' || event.explanation !== null, 'explanation', 'one');
  const isDuplicate = reason === 'duplicate_invoice';
  expect(isDuplicate === event.isDuplicate, 'processingReason', 'as its purchase says');
  // It may have been decided before its person had a referral, but never by another referral.
  const isCredited = event.programId !== null;
  const mustBe = reason === 'attributed';
  const isRight = isCredited
    ? state === 'processed' && !isDuplicate && event.programId === event.referralProgramId
    : !mustBe;
  expect(isRight, 'programId', mustBe ? event.referralProgramId : null);
  const isOfParty = event.referralId === null || isCreditedFor(event, event.refereeId);
  expect(isOfParty, 'referralId', 'that of one of its parties');
  return found;
}
