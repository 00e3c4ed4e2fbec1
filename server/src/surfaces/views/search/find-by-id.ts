import { findParticipant } from '../../../domain/participants/find-participant.ts';
import type { Participant } from '../../../domain/participants/schema.ts';
import { type FoundName, findNameById } from '../../../domain/participants/search/search-people.ts';
import { findApplicationState } from '../../../domain/partners/queries.ts';
import { findProgramNames } from '../../../domain/programs/queries.ts';
import { findRewardState } from '../../../domain/rewards/read/queries.ts';
import type { Event } from '../../../domain/tracking/event-schema.ts';
import { findEventById, findReferralById } from '../../../domain/tracking/read/find-fact.ts';
import { findBatchState, findPayoutState } from '../../../outbound/payouts/queries.ts';
import { findEndpointUrl } from '../../../outbound/webhooks/endpoints/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Permission } from '../../../platform/http/access/permissions.ts';
import type { Found } from '../schema.ts';
import { namePartners } from '../show-participant.ts';

interface Finder {
  readonly permission: Permission;
  find(
    db: Queryable,
    projectId: string,
    id: string,
    may: (permission: Permission) => boolean,
  ): Promise<Found | undefined>;
}

interface Shown {
  readonly label: string;
  readonly detail?: string | null;
  readonly participantId?: string | null;
}

const found = (
  type: Found['type'],
  id: string,
  { label, detail = null, participantId = null }: Shown,
): Found => ({ type, id, label, detail, participantId });

export function foundParticipant({ id, kind, externalId, name }: Participant): Found {
  return found('participant', id, {
    label: externalId ?? name ?? id,
    detail: name ?? kind,
    participantId: id,
  });
}

export function foundName({ name, refCodeId, linkId, participantId }: FoundName): Found {
  return linkId === null
    ? found('referral_code', refCodeId, { label: name, participantId })
    : found('referral_link', linkId, { label: name, participantId });
}

export function foundEvent({
  id,
  type,
  sourceEventId,
  processingReason,
  participantId,
}: Pick<Event, 'id' | 'type' | 'processingReason' | 'participantId'> & {
  readonly sourceEventId: string | null;
}): Found {
  const label = sourceEventId === null ? type : `${type} ${sourceEventId}`;
  return found('event', id, { label, detail: processingReason, participantId });
}

/** By prefix of the id. */
const FINDERS: Readonly<Record<string, Finder>> = {
  par: {
    permission: 'participants:read',
    async find(source, projectId, id, may) {
      const row = await findParticipant(source, projectId, id);
      const [person] = await namePartners(source, may, row ? [row] : []);
      return person && foundParticipant(person);
    },
  },
  cod: { permission: 'participants:read', find: findName },
  lnk: { permission: 'participants:read', find: findName },
  ref: {
    permission: 'referrals:read',
    async find(source, projectId, id) {
      const row = await findReferralById(source, projectId, id);
      return (
        row &&
        found('referral', id, {
          label: id,
          detail: row.programId,
          participantId: row.refereeParticipantId,
        })
      );
    },
  },
  evt: {
    permission: 'referrals:read',
    async find(source, projectId, id) {
      const row = await findEventById(source, projectId, id);
      return row && foundEvent(row);
    },
  },
  rwd: {
    permission: 'referrals:read',
    async find(source, projectId, id) {
      const row = await findRewardState(source, projectId, id);
      return (
        row &&
        found('reward', id, {
          label: row.benefitKind,
          detail: row.fulfillmentStatus,
          participantId: row.beneficiaryParticipantId,
        })
      );
    },
  },
  prg: {
    permission: 'programs:read',
    async find(source, projectId, id) {
      const name = (await findProgramNames(source, projectId)).get(id);
      return name === undefined ? undefined : found('program', id, { label: name });
    },
  },
  po: {
    permission: 'payouts:read',
    async find(source, projectId, id) {
      const row = await findPayoutState(source, projectId, id);
      return (
        row &&
        found('payout', id, {
          label: row.method,
          detail: row.status,
          participantId: row.participantId,
        })
      );
    },
  },
  pob: {
    permission: 'payouts:read',
    async find(source, projectId, id) {
      const row = await findBatchState(source, projectId, id);
      return row && found('payout_batch', id, { label: row.method, detail: row.status });
    },
  },
  preq: {
    permission: 'partners:read',
    async find(source, projectId, id) {
      const row = await findApplicationState(source, projectId, id);
      return row && found('partner_application', id, { label: row.name ?? id, detail: row.status });
    },
  },
  whe: {
    permission: 'webhooks:read',
    async find(source, projectId, id) {
      const url = await findEndpointUrl(source, projectId, id);
      return url === undefined ? undefined : found('webhook_endpoint', id, { label: url });
    },
  },
};

async function findName(db: Queryable, projectId: string, id: string) {
  const row = await findNameById(db, projectId, id);
  return row && foundName(row);
}

const ID = /^([a-z]+)_[0-9a-z]{26}$/;

/** The prefix of an id of this service; undefined for any other text. */
export function prefixOf(text: string): string | undefined {
  return ID.exec(text)?.[1];
}

/** The object with this id, if its kind can be looked up and the caller may read it. */
export async function findById(
  db: Queryable,
  projectId: string,
  may: (permission: Permission) => boolean,
  id: string,
): Promise<Found | undefined> {
  const prefix = prefixOf(id);
  const finder =
    prefix !== undefined && Object.hasOwn(FINDERS, prefix) ? FINDERS[prefix] : undefined;
  if (!finder || !may(finder.permission)) return undefined;
  return finder.find(db, projectId, id, may);
}
