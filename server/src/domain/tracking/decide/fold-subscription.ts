import { notFound } from '../../../platform/kit/errors.ts';
import { ensureParticipant } from '../../participants/participant-slice.ts';
import type { Checked, Ledger, LedgerView } from '../batch/ledger.ts';
import type { SubscriptionAnswer, SubscriptionFact } from '../billing-schema.ts';
import { firstAnswer, refuseFact } from '../intake/check-fact.ts';
import type { SubscriptionInput } from '../intake/normalize-billing.ts';
import { presentCandidate } from '../read/explanation.ts';
import { attributionOf } from './attribute.ts';
import { bindStart, NOT_BINDING } from './bind-start.ts';

/**
 * A change of a subscription. Its start binds a referral if the Program waits for that, and decides
 * what waited for it.
 */
export function checkSubscription(
  view: LedgerView,
  input: SubscriptionInput,
  leavesWaiting: boolean,
): Checked<SubscriptionAnswer> {
  const source = view.sources.get(input.sourceNamespaceId);
  if (!source) return { refused: notFound('source') };
  const party = ensureParticipant(view.participants, input.participant, view);
  if ('refused' in party) return party;
  const { participant } = party;
  const first = firstAnswer<SubscriptionAnswer>(view, input);
  if (first) return 'refused' in first ? first : { ...first, participantId: participant.id };
  const refused = refuseFact(source, input.occurredAt, view.now);
  if (refused) return { refused };
  return {
    take: (ledger) => {
      ledger.introduce(participant);
      const answer = takeSubscription(ledger, input, participant.id, leavesWaiting);
      ledger.addAnswer({ ...input, answer });
      return { answer, participantId: participant.id };
    },
  };
}

function takeSubscription(
  ledger: Ledger,
  { participant: _, ...facts }: SubscriptionInput,
  participantId: string,
  leavesWaiting: boolean,
): SubscriptionAnswer {
  const taken = {
    id: ledger.newId('sfact'),
    projectId: ledger.projectId,
    participantId,
    ...facts,
    receivedAt: ledger.now,
  };
  const isStart = facts.change === 'started';
  const binding = isStart ? bindStart(ledger, taken, leavesWaiting) : NOT_BINDING;
  const fact: SubscriptionFact = {
    ...taken,
    reason: binding.reason,
    candidates: binding.candidates.map(presentCandidate),
  };
  ledger.addSubscriptionFact(fact);
  return { success: true, data: fact, attribution: attributionOf(binding.referral) };
}
