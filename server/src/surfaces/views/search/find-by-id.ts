import { findParticipant } from '../../../domain/participants/queries.ts';
import type { Participant } from '../../../domain/participants/schema.ts';
import { type FoundName, findNameById } from '../../../domain/participants/search-queries.ts';
import { findApplicationState } from '../../../domain/partners/queries.ts';
import { findProgramNames } from '../../../domain/programs/queries.ts';
import { findRewardState } from '../../../domain/rewards/queries.ts';
import type { Event } from '../../../domain/tracking/event-schema.ts';
import { findReferralById } from '../../../domain/tracking/queries.ts';
import { findEventById } from '../../../domain/tracking/read/event-queries.ts';
import { findBatchState, findPayoutState } from '../../../outbound/payouts/queries.ts';
import { findEndpointUrl } from '../../../outbound/webhooks/endpoints/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Permission } from '../../../platform/http/access/permissions.ts';
import type { Found as FoundOut } from '../schema.ts';
import { namePartners } from '../show-participant.ts';

/** A result before the participant it belongs to is named. */
export type Found = Omit<FoundOut, 'participant'>;

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

/** Loads an object and shows it as a result. */
const finder = <T>(
  permission: Permission,
  load: (db: Queryable, projectId: string, id: string) => Promise<T | undefined>,
  show: (row: T, id: string) => Found,
): Finder => ({
  permission,
  async find(db, projectId, id) {
    const row = await load(db, projectId, id);
    return row === undefined ? undefined : show(row, id);
  },
});

/** By prefix of the id. */
const FINDERS: Readonly<Record<string, Finder>> = {
  par: {
    permission: 'participants:read',
    async find(db, projectId, id, may) {
      const row = await findParticipant(db, projectId, id);
      const [person] = await namePartners(db, may, row ? [row] : []);
      return person && foundParticipant(person);
    },
  },
  cod: finder('participants:read', findNameById, foundName),
  lnk: finder('participants:read', findNameById, foundName),
  ref: finder('referrals:read', findReferralById, (row, id) =>
    found('referral', id, {
      label: id,
      detail: row.programId,
      participantId: row.refereeParticipantId,
    }),
  ),
  evt: finder('referrals:read', findEventById, foundEvent),
  rwd: finder('referrals:read', findRewardState, (row, id) =>
    found('reward', id, {
      label: row.benefitKind,
      detail: row.fulfillmentStatus,
      participantId: row.beneficiaryParticipantId,
    }),
  ),
  prg: finder(
    'programs:read',
    async (db, projectId, id) => (await findProgramNames(db, projectId)).get(id),
    (label, id) => found('program', id, { label }),
  ),
  po: finder('payouts:read', findPayoutState, ({ method, status, participantId }, id) =>
    found('payout', id, { label: method, detail: status, participantId }),
  ),
  pob: finder('payouts:read', findBatchState, ({ method, status }, id) =>
    found('payout_batch', id, { label: method, detail: status }),
  ),
  preq: finder('partners:read', findApplicationState, ({ name, status }, id) =>
    found('partner_application', id, { label: name ?? id, detail: status }),
  ),
  whe: finder('webhooks:read', findEndpointUrl, (label, id) =>
    found('webhook_endpoint', id, { label }),
  ),
};

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
