import { expect } from 'vitest';
import { foldText } from '../src/domain/participants/search-keys.ts';
import type { Answer, TestService } from './harness.ts';
import { openPayoutShop, type PayoutShop } from './payout-shop.ts';

/** A mail as `GET /v1/mails` shows it. */
interface ShownMail {
  readonly id: string;
  readonly kind: string;
  readonly recipientId: string;
  readonly programId: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly projectTime: string;
  readonly bounce: object | null;
}

/** A payout shop in which ada has an address and mails are set up. */
export interface MailShop extends PayoutShop {
  readonly address: string;
  put(path: string, body: object): Promise<Answer>;
  setMail(body: object): Promise<void>;
  setKinds(...kinds: string[]): Promise<void>;
  setEmail(externalId: string, email: string | null): Promise<void>;
  /** Stores an address that earlier versions accepted. */
  keepEmail(externalId: string, email: string): Promise<void>;
  /** Newest first. */
  mails(): Promise<ShownMail[]>;
  /** The subjects of what was sent to ada. */
  subjects(): string[];
  moveClock(now: string): Promise<void>;
}

/** Writes an address to the store that the API refuses. */
export async function storeEmail(
  service: TestService,
  projectId: string,
  { externalId, email }: { readonly externalId: string; readonly email: string },
): Promise<void> {
  await service.database.transaction(async (tx) =>
    tx.send(
      `with person as (
         update participants set email = $3 where project_id = $1 and external_id = $2 returning id
       ) insert into search_keys (project_id, participant_id, key, of_partner)
         select $1, id, $4, false from person on conflict do nothing`,
      [projectId, externalId, email, foldText(email)],
    ),
  );
}

/** Sends with a marked subject unless told. */
export async function openMailShop(
  service: TestService,
  { holdDays = 14, sandboxMode = 'marked' }: { holdDays?: number; sandboxMode?: string } = {},
): Promise<MailShop> {
  const shop = await openPayoutShop(service, { holdDays });
  const { projectId, key: as } = shop.project;
  const put = async (path: string, body: object) => {
    const answer = await service.call('PUT', path, { as, body: { projectId, ...body } });
    expect([answer.status, answer.body]).toMatchObject([200, {}]);
    return answer;
  };
  const address = `ada.${projectId}@example.com`;
  const setEmail = async (externalId: string, email: string | null) => {
    const participant = { kind: 'individual', externalId };
    await put('/v1/participants', { participant, name: 'Ada', email });
  };
  const keepEmail = (externalId: string, email: string) =>
    storeEmail(service, projectId, { externalId, email });
  const setMail = async (body: object) => {
    await put(`/v1/projects/${projectId}/mail-settings`, body);
  };
  await setEmail('ada', address);
  await setMail({ sender: { name: 'Acme', address: 'rewards@example.com' }, sandboxMode });
  return {
    ...shop,
    address,
    put,
    setMail,
    setEmail,
    keepEmail,
    async setKinds(...kinds) {
      await put(`/v1/programs/${shop.programId}/mail-settings`, { kinds });
    },
    mails: async () => (await shop.read('/v1/mails', { limit: '100' })).body.data,
    subjects: () =>
      (service.mailer?.sent ?? []).filter(({ to }) => to === address).map(({ subject }) => subject),
    async moveClock(now) {
      await put(`/v1/projects/${projectId}/clock`, { now });
    },
  };
}
