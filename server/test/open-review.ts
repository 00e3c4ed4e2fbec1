import { judgeRisk } from '../src/domain/risk/decide/judge-risk.ts';
import {
  type PinnedVerdict,
  RISK_MODEL,
  type RiskFacts,
  unpackFacts,
} from '../src/domain/risk/decide/risk-facts.ts';
import { Ledger } from '../src/domain/tracking/batch/ledger.ts';
import { askForNamed, loadLedger } from '../src/domain/tracking/batch/load-ledger.ts';
import { needsOf } from '../src/domain/tracking/batch/needs.ts';
import { saveLedger } from '../src/domain/tracking/batch/save-ledger.ts';
import { openReview } from '../src/domain/tracking/decide/open-review.ts';
import { listAccounts } from '../src/outbound/payouts/details/account-queries.ts';
import { ownRequest } from '../src/platform/http/access/principal.ts';
import { createKeyring } from '../src/platform/kit/keyring.ts';
import { ROOT_KEY, type TestService } from './harness.ts';
import type { Shop } from './shop.ts';

const sources = { keyring: createKeyring(ROOT_KEY), listAccounts };
/** Of the signals that tests use. Together those of the default facts are 85. */
const POINTS = { same_network: 25, velocity: 30, email_alias: 60 };

/**
 * Opens the review of somebody's referral as if such facts had been known at their signup, which then says so; returns
 * its id. Nothing else happens by it: a test may begin with whatever it is about.
 */
export async function openReviewOf(
  service: Pick<TestService, 'writer' | 'database'>,
  shop: Shop,
  externalId = 'bob',
  facts: Partial<RiskFacts> = { sameAddresses: 1, sharedNetworks: 1 },
): Promise<string> {
  const { projectId } = shop.project;
  const [person] = (await shop.read('/v1/participants', { externalId })).body.data;
  const policies = `/v1/programs/${shop.programId}/risk-policies`;
  if ((await shop.read(policies)).body.data.length === 0) {
    await shop.post(policies, { mode: 'review', points: POINTS, reviewAt: 25 });
  }
  const [policy] = (await shop.read(policies)).body.data;
  return service.writer.run(ownRequest(projectId, 'test', 'req_test'), async (write) => {
    const needs = needsOf([{ kind: 'due', participantId: person.id }]);
    const named = await askForNamed(write.tx, sources, projectId, needs);
    const state = await loadLedger(write, named, needs, sources);
    const ledger = new Ledger(state, {
      ...write,
      introduce: () => undefined,
      announce: (type, data) => write.append(type, data()),
    });
    const referral = state.referrals.get(person.id);
    if (!referral?.bindingEventId) throw new Error(`No signup of ${externalId} was referred.`);
    const verdict: PinnedVerdict = {
      referralId: referral.id,
      policyVersionId: policy.id,
      mode: policy.mode,
      reviewAt: policy.reviewAt,
      ...judgeRisk(unpackFacts(facts), policy),
      facts,
      model: RISK_MODEL,
    };
    const answer = openReview(ledger, { id: referral.bindingEventId }, referral, verdict);
    if (answer === null) throw new Error('No review was opened.');
    saveLedger(write, ledger, []);
    await write.tx.query(
      `update events set explanation = json_build_object('candidates', explanation -> 'candidates',
         'rules', explanation -> 'rules', 'risk', $3::json)
       where project_id = $1 and id = $2`,
      [projectId, referral.bindingEventId, JSON.stringify({ ...verdict, reviewId: answer })],
    );
    return { answer };
  });
}
