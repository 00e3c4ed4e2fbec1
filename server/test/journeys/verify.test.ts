import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '../../src/platform/db/database.ts';
import { saveFigures } from '../../src/platform/figures/figures.ts';
import type { Figure } from '../../src/platform/figures/tally.ts';
import type { Finding } from '../../src/programs/verify/findings.ts';
import { LINKED_COLUMNS } from '../../src/programs/verify/stores/link-store.ts';
import { NUMBERED_LISTS } from '../../src/programs/verify/stores/list-store.ts';
import {
  examineProject,
  recountProject,
  verifyProject,
} from '../../src/programs/verify/verify-all.ts';
import { EACH_FIGURE } from '../figures.ts';
import { openService, type TestService } from '../harness.ts';
import { fillProject, type VariedProject } from '../varied-store.ts';
import { addEndpoint, recordAttempt } from '../webhook-rows.ts';

let service: TestService;
let shop: VariedProject;
let other: VariedProject;
beforeAll(async () => {
  service = await openService();
  shop = await fillProject(service);
  other = await fillProject(service);
  await sendFirstEvent();
});
afterAll(() => service.close());

/** One that was sent to an endpoint and waits to be sent again. */
async function sendFirstEvent(): Promise<void> {
  const { key, projectId } = shop;
  const endpoint = await addEndpoint(service, projectId);
  const feed = { as: key, query: { projectId, limit: 1 } };
  const { body } = await service.call('GET', '/v1/webhook-events', feed);
  await service.database.transaction((tx) =>
    recordAttempt(tx, endpoint, 1, { outcome: 'succeeded', startedAt: service.clock.now }),
  );
  await service.call('POST', `/v1/webhook-endpoints/${endpoint.endpointId}/replay`, {
    as: key,
    body: { projectId, eventIds: [body.events[0].id] },
  });
}

class Undo extends Error {}

/** What is found after a damage, which is undone again. */
async function damage(change: (tx: Tx) => Promise<void>): Promise<Finding[]> {
  let findings: Finding[] = [];
  const body = async (tx: Tx) => {
    await change(tx);
    findings = (await examineProject(tx, shop.projectId)).kept;
    throw new Undo();
  };
  await service.database.transaction(body).catch((error) => {
    if (!(error instanceof Undo)) throw error;
  });
  return findings;
}

/** What is found after these statements, and the ids that they return. `$1` is the Project. */
async function findAfter(...statements: string[]): Promise<{ findings: Finding[]; ids: string[] }> {
  const ids: string[] = [];
  const findings = await damage(async (tx) => {
    for (const one of statements) {
      const params = one.includes('$1') ? [shop.projectId] : [];
      const rows = await tx.query<{ id?: string }>(one, params);
      ids.push(...rows.flatMap(({ id }) => id ?? []));
    }
  });
  return { findings, ids };
}

const short = ({ subject, field }: Finding) => `${subject}: ${field}`;

const EVENT = (told: string) =>
  `(select id from events where project_id = $1 and source_event_id = '${told}')`;
const PURCHASE = (told: string) => `project_id = $1 and event_id = ${EVENT(told)}`;
const REWARD = (told: string, role: string) => `${PURCHASE(told)} and beneficiary_role = '${role}'`;
const ADJUSTMENT = (told: string) => `project_id = $1 and source_event_id = '${told}'`;
const PARTLY = `project_id = $1 and reward_id =
  (select id from rewards where ${REWARD('partly', 'referrer')})
  and number = (select min(number) from reward_adjustments where project_id = $1 and reward_id =
    (select id from rewards where ${REWARD('partly', 'referrer')}))`;

test('a store that the service has written has nothing that differs (D-RECALC-1)', async () => {
  for (const { projectId } of [shop, other]) {
    const progress: string[] = [];
    const { kept, total } = await verifyProject(service.database, projectId, (what, done, of) => {
      if (done === of) progress.push(what);
    });
    expect({ kept, total }).toEqual({ kept: [], total: 0 });
    expect(progress).toEqual(expect.arrayContaining(['rewards', 'events', 'purchases']));
  }
});

test('nothing differs while others write', async () => {
  const source = await service.call('GET', '/v1/sources', {
    as: other.key,
    query: { projectId: other.projectId },
  });
  const sourceNamespaceId = source.body.data[0].id;
  const writes = Array.from({ length: 60 }, (_, n) =>
    service.call('POST', '/v1/track/events', {
      as: other.key,
      body: {
        projectId: other.projectId,
        sourceNamespaceId,
        sourceEventId: `busy-${n}`,
        type: n % 3 === 0 ? 'signup' : 'purchase',
        participant: { kind: 'individual', externalId: `busy-${n - (n % 3)}` },
        ...(n % 3 === 0
          ? { refCode: 'ada' }
          : { purchase: { amountMinor: '1234', currency: 'USD' } }),
      },
    }),
  );
  for (let looks = 0; looks < 5; looks += 1) {
    expect((await verifyProject(service.database, other.projectId)).kept).toEqual([]);
  }
  for (const { status } of await Promise.all(writes)) expect(status).toBe(200);
  expect((await verifyProject(service.database, other.projectId)).kept).toEqual([]);
});

/** A time moved by so much. A cluster takes no arithmetic that depends on the session's time zone. */
const shift = (column: string, by: string) =>
  `((${column} at time zone 'UTC') + interval '${by}') at time zone 'UTC'`;

/** What is changed, how, and exactly what is then found. Ids are those that the change returns. */
const EXACT: readonly [what: string, statement: string, found: readonly string[]][] = [
  [
    'a feed position is skipped',
    `update feed_events set position = position + 1000 where project_id = $1 and position =
       (select feed_position from project_heads where project_id = $1) returning id`,
    ['feed event: number', 'head: feedPosition'],
  ],
  [
    'a feed event is dated back',
    `update feed_events set occurred_at = ${shift('occurred_at', '-1 day')}
     where project_id = $1 and position = 9 returning id`,
    ['feed event: time'],
  ],
  [
    'the head’s time is behind its facts',
    `update project_heads set last_at = ${shift('last_at', '-1 minute')}
     where project_id = $1 returning project_id as id`,
    ['head: lastAt'],
  ],
  [
    'the head’s feed position is ahead',
    `update project_heads set feed_position = feed_position + 1
     where project_id = $1 returning project_id as id`,
    ['head: feedPosition'],
  ],
  [
    'the head is gone',
    'delete from project_heads where project_id = $1 returning project_id as id',
    ['head: row'],
  ],
  [
    'a feed event changes its type',
    `update feed_events set type = 'reward.voided' where project_id = $1 and position =
       (select min(position) from feed_events where project_id = $1 and type = 'reward.earned')`,
    ['feed: reward.earned', 'feed: reward.voided'],
  ],
  [
    'somebody has a search key of another name',
    `insert into search_keys (project_id, participant_id, key, of_partner)
     select $1, id, 'somebody else', partner_id is not null from participants
     where project_id = $1 and deleted_at is null order by number limit 1
     returning participant_id as id`,
    ['participant: search_keys'],
  ],
  [
    'an erased participant has a search key',
    `insert into search_keys (project_id, participant_id, key, of_partner)
     select $1, id, 'erased', partner_id is not null from participants
     where project_id = $1 and deleted_at is not null order by number limit 1
     returning participant_id as id`,
    ['participant: search_keys'],
  ],
  [
    'a search key belongs to nobody',
    `insert into search_keys (project_id, participant_id, key, of_partner)
     values ($1, 'par_nobody', 'nobody', false) returning participant_id as id`,
    ['participant: search_keys'],
  ],
  [
    'a count of enrollments is wrong',
    `update programs set enrollment_count = enrollment_count + 1
     where project_id = $1 and kind = 'loyalty' returning id`,
    ['program: enrollment_count'],
  ],
  [
    'a count of unproven applications is wrong',
    `insert into partner_application_counts (project_id, program_id, unproven)
     select $1, id, 3 from programs where project_id = $1 and number = 1 returning program_id as id`,
    ['program: unproven applications'],
  ],
  [
    'a status has no interval',
    `update programs set status = 'paused' where project_id = $1 and number = 2 returning id`,
    ['program: open status interval'],
  ],
  [
    'delivery settings are gone',
    `delete from delivery_settings where project_id = $1 and program_id =
       (select id from programs where project_id = $1 and kind = 'loyalty') returning program_id as id`,
    ['program: delivery settings'],
  ],
  [
    'a rule’s number is skipped',
    `update benefit_rules set number = 99 where project_id = $1 and id =
       (select max(id) from benefit_rules where project_id = $1) returning program_id as id`,
    ['program: number of benefit_rules'],
  ],
  [
    'a version of terms is skipped',
    `update reward_terms set version = 9 where project_id = $1 and version = 2 returning rule_id as id`,
    ['rule: version of reward_terms'],
  ],
  [
    'a version of a policy is skipped',
    `update attribution_policies set version = 9
     where project_id = $1 and version = 2 returning program_id as id`,
    ['program: version of attribution_policies'],
  ],
  [
    'a score does not follow from the facts',
    `update events set explanation = jsonb_set(explanation::jsonb, '{risk,score}', '99')::json
     where project_id = $1 and id = ${EVENT('signup-bob')} returning id`,
    ['event: risk'],
  ],
  [
    'the facts of a score are others',
    `update events set explanation =
       jsonb_set(explanation::jsonb, '{risk,facts}', '{"sameAddresses": 1}')::json
     where project_id = $1 and id = ${EVENT('signup-bob')} returning id`,
    ['event: risk'],
  ],
  [
    'a score names a policy that is gone',
    `update events set explanation =
       jsonb_set(explanation::jsonb, '{risk,policyVersionId}', '"rkp_gone"')::json
     where project_id = $1 and id = ${EVENT('signup-bob')} returning id`,
    ['event: risk policy'],
  ],
  [
    'a referrer is none',
    `update participants set is_referrer = false
     where project_id = $1 and external_id = 'ada' returning id`,
    ['participant: is_referrer'],
  ],
  [
    'somebody is a referee without a referral',
    `update participants set is_referee = true
     where project_id = $1 and external_id = 'frank' returning id`,
    ['participant: is_referee'],
  ],
  [
    'a referral was bound by somebody else’s signup',
    `update referrals set binding_event_id = ${EVENT('signup-frank')}
     where project_id = $1 and binding_event_id = ${EVENT('signup-bob')} returning id`,
    ['referral: referee'],
  ],
  [
    'a referral names another’s enrollment',
    `update referrals set enrollment_id = (select e.id from enrollments e
       join participants p on p.project_id = $1 and p.id = e.participant_id
       where e.project_id = $1 and p.external_id = 'grace')
     where project_id = $1 and binding_event_id = ${EVENT('signup-bob')} returning id`,
    ['referral: enrollment'],
  ],
  [
    'a referral names another Program’s policy',
    `update referrals set policy_version_id = (select id from attribution_policies
       where project_id = $1 and version = 2)
     where project_id = $1 and binding_event_id = ${EVENT('signup-bob')} returning id`,
    ['referral: policy’s program'],
  ],
  [
    'a signup is not the person’s own',
    `update signups set event_id = ${EVENT('signup-bob')}
     where project_id = $1 and event_id = ${EVENT('signup-frank')}`,
    ['event: signupEventId', 'signup: event'],
  ],
  [
    'a signup is missing',
    `with gone as (delete from signups where project_id = $1 and event_id =
       ${EVENT('signup-frank')} returning event_id) select event_id as id from gone`,
    ['event: signupEventId'],
  ],
  [
    'a key has another hash',
    `update source_keys set facts_hash = 'other' where project_id = $1 and source_event_id = 'partly'`,
    ['source key: facts hash'],
  ],
  [
    'a key is missing',
    `delete from source_keys where project_id = $1 and source_event_id = 'refund-partly-1'`,
    ['source key: facts hash'],
  ],
  [
    'an early adjustment has another id than was answered',
    `update early_adjustments set id = 'padj_other' where project_id = $1`,
    ['early adjustment: answer'],
  ],
  [
    'an early adjustment was not applied to its purchase',
    `update early_adjustments set purchase_event_id = 'partly' where project_id = $1`,
    ['early adjustment: purchase'],
  ],
  [
    'an early adjustment is kept for too long',
    `update early_adjustments set expires_at = ${shift('expires_at', '1 hour')} where project_id = $1`,
    ['early adjustment: expiresAt'],
  ],
  [
    'a key has no fact',
    `insert into source_keys (project_id, source_namespace_id, source_event_id, facts_hash, answer)
     select $1, source_namespace_id, 'never', 'hash', '{}' from source_keys
     where project_id = $1 and source_event_id = 'partly'`,
    ['source key: facts hash'],
  ],
  [
    'a decided event still waits',
    `update events set next_attempt_at = received_at
     where project_id = $1 and source_event_id = 'visit-frank' returning id`,
    ['event: nextAttemptAt'],
  ],
  [
    'a waiting event waits for nothing',
    `update events set next_attempt_at = null
     where project_id = $1 and source_event_id = 'waiting' returning id`,
    ['event: nextAttemptAt'],
  ],
  [
    'a decided event explains nothing',
    `update events set explanation = null
     where project_id = $1 and source_event_id = 'unreferred' returning id`,
    ['event: explanation'],
  ],
  [
    'an event does not tell of its reward',
    `update events set explanation = '{"candidates":[],"rules":[]}'
     where project_id = $1 and source_event_id = 'visit-bob' returning id`,
    ['event: rewards'],
  ],
  [
    'a reason does not go with its state',
    `update events set processing_reason = 'retry_scheduled'
     where project_id = $1 and source_event_id = 'visit-frank' returning id`,
    ['event: processingState'],
  ],
  [
    'an event calls itself a duplicate',
    `update events set processing_reason = 'duplicate_invoice'
     where project_id = $1 and source_event_id = 'unreferred'`,
    ['counter: value', 'event: processingReason'],
  ],
  [
    'an event is credited to another Program',
    `update events set program_id = (select id from programs where project_id = $1 and number = 2)
     where project_id = $1 and source_event_id = 'visit-bob'`,
    ['counter: value', 'counter: value', 'event: programId'],
  ],
  [
    'an event is credited to a stranger’s referral',
    `update events e set referral_id = (select min(r.id) from referrals r where r.project_id = $1
       and r.program_id = e.program_id and r.referee_participant_id <> e.participant_id)
     where project_id = $1 and source_event_id = 'visit-bob' returning id`,
    ['event: referralId'],
  ],
  [
    'an attributed event is credited to none',
    `update events set program_id = null
     where project_id = $1 and source_event_id = 'without-amount'`,
    ['counter: value', 'counter: value', 'event: programId', 'referral: first_purchase_at'],
  ],
  [
    'amounts have no purchase',
    `with gone as (delete from purchases where ${PURCHASE('unreferred')} returning event_id)
     select event_id as id from gone`,
    ['event: purchase'],
  ],
  [
    'a purchase is not as told',
    `update purchases set amount_minor = 5 where ${PURCHASE('unreferred')} returning id`,
    ['counter: value', 'counter: value', 'purchase: amountMinor'],
  ],
  [
    'a purchase’s tax is not as told',
    `update purchases set tax_amount_minor = 5 where ${PURCHASE('wholly')} returning id`,
    ['purchase: taxAmountMinor'],
  ],
  [
    'a purchase is somebody else’s',
    `update purchases set participant_id = (select participant_id from events
       where project_id = $1 and source_event_id = 'signup-frank')
     where ${PURCHASE('partly')} returning id`,
    [...Array(4).fill('counter: value'), 'purchase: participantId'],
  ],
  [
    'a duplicate points to another invoice',
    `update purchases set duplicate_of =
       (select id from purchases where ${PURCHASE('partly')})
     where ${PURCHASE('wholly-again')} returning id`,
    ['purchase: invoiceId'],
  ],
  [
    'a refunded total is wrong',
    `update purchases set refunded_minor = refunded_minor + 1 where ${PURCHASE('partly')} returning id`,
    [...Array(5).fill('counter: value'), 'purchase: refundedMinor'],
  ],
  [
    'a disputed total is wrong',
    `update purchases set disputed_minor = disputed_minor - 1 where ${PURCHASE('disputed')} returning id`,
    [...Array(8).fill('counter: value'), 'purchase: disputedMinor'],
  ],
  [
    'an adjustment remembers another refunded total',
    `update purchase_adjustments set refunded_total_minor = refunded_total_minor + 1
     where ${ADJUSTMENT('refund-partly-3333')} returning id`,
    ['purchase adjustment: refundedTotalMinor'],
  ],
  [
    'an adjustment remembers another disputed total',
    `update purchase_adjustments set disputed_total_minor = disputed_total_minor + 1
     where ${ADJUSTMENT('dispute-disputed-500')} returning id`,
    ['purchase adjustment: disputedTotalMinor'],
  ],
  [
    'an adjustment was restored more than it was',
    `update purchase_adjustments set restored_minor = restored_minor + 1
     where ${ADJUSTMENT('dispute-restored-6000')} returning id`,
    ['purchase adjustment: restoredMinor'],
  ],
  [
    'a reward’s amount is wrong',
    `update rewards set amount_minor = amount_minor + 1 where ${REWARD('second-terms', 'referrer')}`,
    ['counter: value', 'reward: amountMinor', 'reward: netAmountMinor'],
  ],
  [
    'a reward’s currency has another exponent',
    `update rewards set currency_exponent = 3 where ${REWARD('partly', 'referrer')} returning id`,
    ['reward: currencyExponent'],
  ],
  [
    'a reward’s arithmetic is another',
    `update rewards set arithmetic = '{}' where ${REWARD('partly', 'referrer')} returning id`,
    ['reward: arithmetic'],
  ],
  [
    'a discount’s rate is wrong',
    `update rewards set rate_bps = 1001 where ${REWARD('signup-bob', 'referee')} returning id`,
    ['reward: rateBps'],
  ],
  [
    'a discount lasts for ever',
    `update rewards set duration_mode = 'forever' where ${REWARD('signup-bob', 'referee')} returning id`,
    ['reward: durationMode'],
  ],
  [
    'a quantity is wrong',
    `update rewards set quantity = quantity + 1 where ${REWARD('visit-bob', 'referrer')}`,
    ['counter: value', 'counter: value', 'reward: quantity'],
  ],
  [
    'a unit ends',
    `update rewards set validity_days = 3 where ${REWARD('visit-bob', 'referrer')} returning id`,
    ['reward: validityDays'],
  ],
  [
    'a reward pins other terms of its rule',
    `update rewards set terms_version_id = (select t.id from reward_terms t join rewards r
         on r.project_id = $1 and r.rule_id = t.rule_id
       where t.project_id = $1 and t.version = 1 and r.event_id = ${EVENT('second-terms')}
         and r.beneficiary_role = 'referrer')
     where ${REWARD('second-terms', 'referrer')}`,
    ['reward: amountMinor', 'reward: arithmetic'],
  ],
  [
    'a reward names no purchase',
    `update rewards set purchase_id = null where ${REWARD('second-terms', 'referrer')} returning id`,
    ['reward: purchaseId'],
  ],
  [
    'a net is wrong',
    `update rewards set net_amount_minor = net_amount_minor + 1 where ${REWARD('partly', 'referrer')}`,
    ['counter: value', 'counter: value', 'reward: netAmountMinor'],
  ],
  [
    'a net is above the amount',
    `update rewards set net_amount_minor = amount_minor + 1 where ${REWARD('second-terms', 'referrer')}`,
    ['counter: value', 'counter: value', 'reward: netAmountMinor'],
  ],
  [
    'an adjustment’s amount is wrong',
    `update reward_adjustments set signed_amount_minor = -1 where ${PARTLY} returning id`,
    ['reward adjustment: signedAmountMinor'],
  ],
  [
    'an adjustment’s currency is wrong',
    `update reward_adjustments set currency = 'EUR' where ${PARTLY} returning id`,
    ['reward adjustment: currency'],
  ],
  ...[
    'purchaseAmountMinor',
    'refundedTotalMinor',
    'rewardAmountMinor',
    'previousNetMinor',
    'newNetMinor',
    'refundPolicy',
    'roundingPolicy',
  ].map((field): [string, string, string[]] => [
    `an adjustment remembers another ${field}`,
    `update reward_adjustments set calculation_snapshot = jsonb_set(
       calculation_snapshot::jsonb, '{${field}}', '"7"')::json where ${PARTLY} returning id`,
    [`reward adjustment: ${field}`],
  ]),
  [
    'a disputed unit is not held',
    `update rewards set is_disputed = false, delivery_status = 'pending', delivery_reason = 'awaiting_operator'
     where ${REWARD('disputed', 'subject')} returning id`,
    ['reward: void or hold'],
  ],
  [
    'a delivery status does not go with its reward',
    `update rewards set delivery_status = 'delivered' where ${REWARD('signup-bob', 'referrer')} returning id`,
    ['reward: deliveryStatus'],
  ],
  [
    'a delivery reason does not go with its reward',
    `update rewards set delivery_reason = 'refunded' where ${REWARD('signup-bob', 'referrer')} returning id`,
    ['reward: deliveryReason'],
  ],
  [
    'a granted reward has no record of that',
    `update rewards set fulfillment_status = 'fulfilled', delivery_status = 'delivered',
       delivery_reason = null where ${REWARD('signup-bob', 'referrer')} returning id`,
    ['counter: value', 'counter: value', 'reward: fulfillment'],
  ],
  [
    'a referral lost the link that made it',
    `update referrals set link_id = null where project_id = $1 and id = (select min(id)
       from referrals where project_id = $1 and link_id is not null
         and first_purchase_at is null) returning id`,
    ['counter: value', 'referral: link_id'],
  ],
  [
    'a referral was bought for at another time of the day',
    `update referrals set first_purchase_at = first_purchase_at + interval '1 millisecond'
     where project_id = $1 and id = (select min(id) from referrals
       where project_id = $1 and first_purchase_at is not null) returning id`,
    ['referral: first_purchase_at'],
  ],
  [
    'a reward that was not revoked has a record of that',
    `update rewards set revocation = '{}' where ${REWARD('signup-bob', 'referrer')} returning id`,
    ['feed: reward.revoked', 'reward: revocation'],
  ],
  [
    'a hold has no whole days',
    `update rewards set available_at = ${shift('available_at', '1 hour')}
     where ${REWARD('signup-bob', 'referrer')} returning id`,
    ['reward: availableAt'],
  ],
  [
    'a reward that is neither void nor refunded is cancelled',
    `update rewards set fulfillment_status = 'cancelled', delivery_status = 'cancelled',
       delivery_reason = 'refunded' where ${REWARD('signup-bob', 'referrer')}`,
    ['counter: value', 'counter: value', 'counter: value', 'reward: fulfillmentStatus'],
  ],
  [
    'a refunded reward is pending',
    `update rewards set fulfillment_status = 'pending', delivery_status = 'on_hold',
       delivery_reason = 'hold_period' where ${REWARD('wholly', 'referrer')}`,
    ['counter: value', 'reward: fulfillmentStatus', 'reward: void or hold'],
  ],
  [
    'a counter counts for nobody',
    `insert into figures (project_id, subject, part, numbers)
     values ($1, 'nobody', 'prg_x', '{"earned:rul_x": "1"}')`,
    ['counter: value'],
  ],
  [
    'a counter is missing',
    `update figures set numbers = numbers - 'rewards' where project_id = $1 and part = ''
       and subject = (select id from programs where project_id = $1 and number = 1)`,
    ['counter: value'],
  ],
  [
    'what waits to be sent is no event',
    `with one as (update webhook_deliveries set position = 1 +
       (select feed_position from project_heads where project_id = $1)
       where project_id = $1 returning queue_id, position)
     select queue_id || ' ' || position as id from one`,
    ['delivery: position'],
  ],
  [
    'what was sent is no event',
    'update webhook_attempts set position = 0 where project_id = $1 returning id',
    ['attempt: position'],
  ],
];

test.each(EXACT)('it finds that %s, and nothing else', async (_, statement, found) => {
  const { findings, ids } = await findAfter(statement);
  expect(findings.map(short).sort()).toEqual(found);
  for (const { projectId } of findings) expect(projectId).toBe(shop.projectId);
  // The gap of a sequence is told of its row, where the row is told at all.
  if (ids.length === 1) expect(findings.map(({ id }) => id)).toContain(ids[0]);
});

/** Changes that break more than one thing at once: what must be among the findings. */
const AMONG: readonly [what: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a referee has two referrals',
    [
      'alter table referrals drop constraint referrals_project_id_referee_participant_id_key',
      `insert into referrals select (r).* from (select jsonb_populate_record(r,
         '{"id": "ref_second"}') as r from referrals r
         where r.project_id = $1 and r.binding_event_id = ${EVENT('signup-bob')}) as copied`,
    ],
    ['participant: referrals as referee', 'counter: value', 'feed: referral.created'],
  ],
  [
    'somebody referred themselves',
    [
      `update referrals set referrer_participant_id = referee_participant_id
       where project_id = $1 and binding_event_id = ${EVENT('signup-bob')}`,
    ],
    ['referral: referrer', 'referral: enrollment', 'counter: value'],
  ],
  [
    'a decided event is pending again',
    [
      `update events set processing_state = 'pending'
       where project_id = $1 and source_event_id = 'partly'`,
    ],
    ['event: processingState', 'event: nextAttemptAt', 'event: programId', 'feed: event.recorded'],
  ],
  [
    'an adjustment took something else',
    [
      `update purchase_adjustments set applied_minor = applied_minor - 1
       where ${ADJUSTMENT('refund-partly-3333')}`,
    ],
    ['purchase adjustment: appliedMinor', 'reward adjustment: refundedTotalMinor'],
  ],
  [
    'a refund is above what was left',
    [
      `update purchase_adjustments set amount_minor = 99999999
       where ${ADJUSTMENT('refund-partly-3333')}`,
    ],
    ['purchase adjustment: amountMinor'],
  ],
  [
    'a restoration restores nothing of this purchase',
    [
      `update purchase_adjustments set restores_id = (select id from purchase_adjustments
         where ${ADJUSTMENT('dispute-disputed-500')})
       where ${ADJUSTMENT('restoration-restored-4000')}`,
    ],
    ['purchase adjustment: restoresId', 'purchase adjustment: restoredMinor'],
  ],
  [
    'an adjustment of a reward is gone',
    [
      `delete from reward_adjustments where project_id = $1 and reward_id =
         (select id from rewards where ${REWARD('wholly', 'referrer')})`,
    ],
    ['reward adjustment: number', 'reward: netAmountMinor', 'reward: net by its adjustments'],
  ],
  [
    'an adjustment of money is one of a unit',
    [
      `update reward_adjustments set reward_id =
         (select id from rewards where ${REWARD('visit-bob', 'referrer')}) where ${PARTLY}`,
    ],
    ['reward adjustment: rewardId'],
  ],
  [
    'a refunded unit is not void',
    [`update rewards set void = null where ${REWARD('wholly', 'subject')}`],
    ['reward: void or hold', 'reward: fulfillmentStatus', 'counter: value'],
  ],
  [
    'a reward is of another rule',
    [
      `update rewards set rule_id = (select max(id) from benefit_rules where project_id = $1)
       where ${REWARD('partly', 'referrer')}`,
    ],
    ['reward: ruleId', 'counter: value'],
  ],
  [
    'a reward went to somebody else',
    [
      `update rewards set beneficiary_participant_id = (select participant_id from events
         where project_id = $1 and source_event_id = 'signup-frank')
       where ${REWARD('partly', 'referrer')}`,
    ],
    ['reward: beneficiaryParticipantId', 'counter: value'],
  ],
  [
    'a loyalty reward went to somebody else',
    [
      `update rewards set beneficiary_participant_id = (select participant_id from events
         where project_id = $1 and source_event_id = 'signup-frank')
       where ${REWARD('partly', 'subject')}`,
    ],
    ['reward: beneficiaryParticipantId', 'counter: value'],
  ],
  [
    'a referrer’s reward has no referral',
    [`update rewards set referral_id = null where ${REWARD('partly', 'referrer')}`],
    ['reward: referralId', 'counter: value'],
  ],
  [
    'a reward is of another’s referral',
    [
      `update rewards set referral_id = (select id from referrals
         where project_id = $1 and binding_event_id = ${EVENT('signup-erin')})
       where ${REWARD('partly', 'referrer')}`,
    ],
    ['reward: event', 'reward: beneficiaryParticipantId'],
  ],
  [
    'a reward was earned by a free purchase',
    [
      `update rewards set event_id = ${EVENT('unreferred')},
         purchase_id = (select id from purchases where ${PURCHASE('unreferred')})
       where ${REWARD('second-terms', 'referrer')}`,
    ],
    ['reward: amountMinor', 'event: rewards'],
  ],
  [
    'a reward was earned by an invoice told again',
    [
      `update rewards set event_id = ${EVENT('wholly-again')},
         purchase_id = (select id from purchases where ${PURCHASE('wholly-again')})
       where ${REWARD('second-terms', 'referrer')}`,
    ],
    ['reward: purchaseId', 'event: rewards'],
  ],
  [
    'an adjustment names an invoice told again',
    [
      `update purchase_adjustments set purchase_id =
         (select id from purchases where ${PURCHASE('wholly-again')})
       where ${ADJUSTMENT('refund-wholly-10000')}`,
    ],
    ['purchase adjustment: purchaseId', 'purchase: refundedMinor'],
  ],
  [
    'a purchase’s event is a signup',
    [`update events set type = 'signup' where project_id = $1 and source_event_id = 'partly'`],
    ['purchase: event', 'event: signupEventId', 'counter: value'],
  ],
];

test.each(AMONG)('it finds that %s', async (_, statements, found) => {
  const { findings } = await findAfter(...statements);
  expect(findings.map(short)).toEqual(expect.arrayContaining([...found]));
});

/** As `part name`. */
const FIGURES = [
  'prg\\_% earned:%',
  'prg\\_% rewards',
  ' rewards',
  'prg\\_% net:USD',
  'prg\\_% once:%',
  'prg\\_% period:%',
  'prg\\_% referred',
  ' referred',
  ' referrals',
  '2026-% rewards',
  '2026-% voided',
  '2026-% net:USD',
  '2026-% unit:%',
  '2026-% converted',
  '2026-% clicks',
  '2026-% referrals',
  '2026-% signups',
  '2026-% purchases',
  '2026-% events',
  '2026-% amount:USD',
  '2026-% customers',
  '2026-% week:%',
  '2026-% revenue:USD',
  'prg\\_% customers',
  'prg\\_% revenue:USD',
  'prg\\_%:links referred',
  'prg\\_%:links customers',
  'prg\\_%:links revenue:USD',
  'prg\\_%:links clicks',
  'units unit\\_%:count',
  'units unit\\_%:pending',
  'units unit\\_%:voided',
];
describe('figures that are wrong, one of each kind', () => {
  const wrong = new Map<string, string>();
  let findings: Finding[];
  beforeAll(async () => {
    findings = await damage(async (tx) => {
      for (const name of FIGURES) {
        const [found] = await tx.query<Omit<Figure, 'value'>>(
          `select subject, part, name from ${EACH_FIGURE} as f where project_id = $1
             and part || ' ' || name like $2
             and concat_ws(' ', subject, nullif(part, ''), name) <> all($3::text[])
           order by subject, part, name limit 1`,
          [shop.projectId, name, [...wrong.values()]],
        );
        if (!found) continue;
        saveFigures(tx, shop.projectId, [{ ...found, value: 1n }]);
        wrong.set(name, [found.subject, found.part, found.name].filter(Boolean).join(' '));
      }
    });
  });

  test.each(FIGURES)('it finds that one like %s is, and which', (name) => {
    const [found, ...rest] = findings.filter(({ id }) => id === wrong.get(name));
    expect(rest).toEqual([]);
    expect(found).toMatchObject({ subject: 'counter', field: 'value' });
    expect(BigInt(found?.stored ?? 0)).toBe(BigInt(found?.expected ?? 0) + 1n);
  });

  test('it finds nothing else', () => {
    expect(findings).toHaveLength(FIGURES.length);
  });
});

const LISTS = NUMBERED_LISTS.filter(({ name }) => name !== null);

test('it finds the heads of all lists that are ahead, and nothing else', async () => {
  const findings = await damage(async (tx) => {
    for (const { name } of LISTS) {
      await tx.query(
        `update project_heads set numbers = jsonb_set(numbers, '{${name}}',
           ((numbers->>'${name}')::int + 1)::text::jsonb) where project_id = $1`,
        [shop.projectId],
      );
    }
  });
  const expected = LISTS.map(({ name }) => `head: numbers.${name}`);
  expect(findings.map(short).toSorted()).toEqual(expected.toSorted());
});

test('it finds the number that was skipped in each list, and nothing else', async () => {
  const skipped: string[] = [];
  const findings = await damage(async (tx) => {
    for (const { table, number, where = '' } of LISTS) {
      const rows = await tx.query<{ id: string }>(
        `update ${table} set ${number} = ${number} + 1 where project_id = $1 ${where} and ${number} =
           (select max(${number}) from ${table} where project_id = $1 ${where}) returning id`,
        [shop.projectId],
      );
      skipped.push(...rows.map(({ id }) => id));
    }
  });
  const expected = LISTS.flatMap(({ subject, name }) => [
    `${subject}: number`,
    `head: numbers.${name}`,
  ]);
  expect(findings.map(short).toSorted()).toEqual(expected.toSorted());
  const found = findings.filter(({ field }) => field === 'number').map(({ id }) => id);
  expect(found.toSorted()).toEqual(skipped.toSorted());
});

describe('ids that name nothing, one in each column', () => {
  const changed = new Map<string, string | undefined>();
  let findings: Finding[];
  beforeAll(async () => {
    findings = await damage(async (tx) => {
      for (const { table, id, column } of LINKED_COLUMNS) {
        const [row] = await tx.query<{ id: string }>(
          `update ${table} set ${column} = 'gone' where project_id = $1 and ${id} =
             (select max(${id}) from ${table} where project_id = $1 and ${column} is not null)
           returning ${id} as id`,
          [shop.projectId],
        );
        changed.set(`${table} ${column}`, row?.id);
      }
    });
  });

  test.each(LINKED_COLUMNS)('it finds the $subject whose $column does', (link) => {
    const { subject, table, column, target } = link;
    expect(findings).toContainEqual({
      projectId: shop.projectId,
      subject,
      id: changed.get(`${table} ${column}`),
      field: column,
      stored: 'gone',
      expected: `the id of one of ${target}`,
    });
  });
});

test('what differs in one Project is not told of another', async () => {
  const { database } = service;
  const change = (delta: number) =>
    database.transaction((tx) =>
      tx.query(
        'update programs set enrollment_count = enrollment_count + $2 where project_id = $1 and number = 1',
        [other.projectId, delta],
      ),
    );
  await change(1);
  expect((await verifyProject(database, shop.projectId)).kept).toEqual([]);
  const { kept } = await verifyProject(database, other.projectId);
  expect(kept).toMatchObject([{ projectId: other.projectId, field: 'enrollment_count' }]);
  await change(-1);
});

test('of a store that is broken all over it tells a thousand findings, and how many there are', async () => {
  const { database } = service;
  const { total, kept } = await database.transaction(async (tx) => {
    await tx.query(
      `insert into figures (project_id, subject, part, numbers)
       select $1, 'stray-' || n, '', '{"x": "1"}' from generate_series(1, 2500) as n`,
      [shop.projectId],
    );
    const found = await examineProject(tx, shop.projectId);
    await tx.query(`delete from figures where project_id = $1 and subject like 'stray-%'`, [
      shop.projectId,
    ]);
    return found;
  });
  expect([total, kept.length]).toEqual([2_500, 1_000]);
});

describe('a recount', () => {
  const change = (statement: string) =>
    service.database.transaction((tx) => tx.query(statement, [other.projectId]));
  const recount = () => recountProject(service.database, other.projectId, () => undefined);
  const differences = async () =>
    (await verifyProject(service.database, other.projectId)).kept.map(short);

  test('sets what decides about Rewards to what the rows give, and leaves the rest', async () => {
    expect(await recount()).toBe(0);
    const wrong = await service.database.transaction(async (tx) => {
      const deciding = await tx.query<Omit<Figure, 'value'>>(
        `select subject, part, name from ${EACH_FIGURE} as f
         where project_id = $1 and name ~ '^(earned|period|once):'`,
        [other.projectId],
      );
      const more = [
        ...deciding,
        { subject: 'par_gone', part: 'prg_gone', name: 'period:rul_gone' },
      ];
      saveFigures(
        tx,
        other.projectId,
        more.map((one) => ({ ...one, value: 1n })),
      );
      return more;
    });
    expect(wrong.length).toBeGreaterThan(5);
    const persons = await change(`select id, signup_person_id from rewards
      where project_id = $1 and signup_person_id is not null order by id`);
    expect(persons.length).toBeGreaterThan(0);
    await change('update rewards set signup_person_id = null where project_id = $1');
    await change(`update figures set numbers = add_numbers(numbers, '{"rewards": "1"}')
      where project_id = $1 and part = ''
      and subject = (select id from programs where project_id = $1 and number = 1)`);
    expect(await recount()).toBe(wrong.length);
    expect(await differences()).toEqual(['counter: value']);
    expect(await recount()).toBe(0);
    expect(
      await change(`select id, signup_person_id from rewards
        where project_id = $1 and signup_person_id is not null order by id`),
    ).toEqual(persons);
  });
});
