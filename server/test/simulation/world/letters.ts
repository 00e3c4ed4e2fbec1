import type { Mailbox } from '../outside/mailbox.ts';
import type { Api } from './api.ts';
import type { Caller } from './caller.ts';
import { addressOf } from './names.ts';

const KINDS = ['friend_joined', 'reward_earned', 'reward_paid'];

/** Switches mails on. */
export async function setUpMail(api: Api, programIds: readonly string[]): Promise<void> {
  const { projectId } = api.project;
  const sender = { name: 'Acme', address: 'rewards@example.com' };
  await api.ok('PUT', `/v1/projects/${projectId}/mail-settings`, { sender });
  for (const id of programIds)
    await api.ok('PUT', `/v1/programs/${id}/mail-settings`, { kinds: KINDS });
}

/** A mail whose reader wants no more of its kind, and when that was acknowledged. */
interface Stopped {
  readonly mailId: string;
  readonly atMs: number;
}

/** What people do with their mails. */
export class Letters {
  readonly stopped: Stopped[] = [];
  readonly #caller: Caller;
  readonly #mailbox: Mailbox;

  constructor(caller: Caller, mailbox: Mailbox) {
    this.#caller = caller;
    this.#mailbox = mailbox;
  }

  /** By the last mail that somebody has. */
  async unsubscribe(person: number): Promise<void> {
    const last = this.#mailbox.arrived.findLast(({ to }) => to === addressOf(person));
    if (!last) return;
    const call = { method: 'POST', path: last.unsubscribePath } as const;
    const { status } = await this.#caller.call(call);
    if (status !== 200) throw new Error(`Nobody can unsubscribe: ${status}.`);
    this.stopped.push({ mailId: last.id, atMs: Date.now() });
  }
}
