import { addMs, type Instant } from '../../../platform/kit/instant.ts';
import { formatMinor } from '../../../platform/kit/money.ts';
import type { MailDeps } from '../mail-deps.ts';
import { FACT_AGE_MAX_MS, type MailDraft } from './decide-mails.ts';
import { listAdmissions, listOrderedPayouts } from './outbox-store.ts';

const FOUND_MAX = 200;

/** Facts about people that the feed does not contain, of the last day. `now` is the Project's. */
export async function findUnfedFacts(
  deps: MailDeps,
  projectId: string,
  now: Instant,
): Promise<MailDraft[]> {
  const since = addMs(now, -FACT_AGE_MAX_MS);
  return [
    ...(await findOrdered(deps, projectId, since)),
    ...(await findAdmitted(deps, projectId, since)),
  ];
}

async function findOrdered({ database }: MailDeps, projectId: string, since: Instant) {
  const found = await listOrderedPayouts(database.reads, projectId, since, FOUND_MAX);
  return found.map(
    ({
      payoutId,
      participantId,
      programId,
      amountMinor,
      currency,
      currencyExponent,
      happenedAt,
    }): MailDraft => ({
      kind: 'payout_ordered',
      factId: payoutId,
      participantId,
      programId,
      rewardId: null,
      data: { money: { amountMinor: formatMinor(amountMinor), currency, currencyExponent } },
      happenedAt,
    }),
  );
}

async function findAdmitted({ database }: MailDeps, projectId: string, since: Instant) {
  const found = await listAdmissions(database.reads, projectId, since, FOUND_MAX);
  return found.map(
    ({ participantId, programId, isFirst, happenedAt }): MailDraft => ({
      kind: 'partner_welcome',
      // The first Program has the fact that earlier versions wrote.
      factId: isFirst ? participantId : programId,
      participantId,
      programId,
      rewardId: null,
      data: {},
      happenedAt,
    }),
  );
}
