import type { Actor } from '../world/actor.ts';
import { everybodyOf, nameOf } from '../world/names.ts';
import { paysOut } from '../world/operations.ts';

// biome-ignore lint/suspicious/noExplicitAny: oracles look into answers of every shape
export type Wire = any;

/** What the API shows of a Project, with the names that a world gives to people, events and rules. */
export interface Shown {
  readonly rewards: readonly Wire[];
  readonly events: ReadonlyMap<string, Wire>;
  readonly feed: readonly Wire[];
  readonly payouts: readonly Wire[];
  /** Transfers that the store has only learned of after it was restored. */
  readonly advances: readonly Wire[];
  /** By the names that the world gives to people. */
  readonly details: ReadonlyMap<string, Wire>;
  /** Of a Reward: its event and its rule, as in the model. */
  nameOf(reward: Wire): string;
  /** By their ids, the names of people in the model. */
  readonly people: ReadonlyMap<string, string>;
}

export async function readAll(actor: Actor): Promise<Shown> {
  const events = new Map((await listEvents(actor)).map((one) => [one.id as string, one]));
  const details = new Map<string, Wire>();
  for (let number = 0; number < everybodyOf(actor.spec); number += 1) {
    const participant = await actor.reader.findParticipant(number);
    const id = actor.erased.get(number) ?? participant?.id;
    if (id) details.set(nameOf(number), (await actor.reader.read(`/v1/participants/${id}`)).data);
  }
  const people = new Map([...details].map(([name, { participant }]) => [participant.id, name]));
  // An erased person's events have no ids of the sender.
  const orders = new Map(
    actor.acknowledged.flatMap(({ operation, answer }) =>
      (operation.kind === 'buy' || operation.kind === 'custom') && answer.status === 200
        ? [[answer.body.eventId, operation.kind === 'buy' ? operation.order : operation.custom]]
        : [],
    ),
  );
  const rules = new Map(
    actor.programs.made.flatMap((program) => program.rules.map(({ id, spec }) => [id, spec.key])),
  );
  return {
    people,
    rewards: await actor.reader.rewards(),
    feed: await actor.reader.feed(),
    payouts: paysOut(actor.spec) ? await actor.cashier.payouts() : [],
    advances: paysOut(actor.spec) ? await actor.cashier.releases.advances() : [],
    events,
    details,
    nameOf({ eventId, ruleId, milestone }) {
      const event = events.get(eventId);
      const isSignup = event?.type === 'signup';
      const subject = isSignup ? people.get(event.participantId) : orders.get(eventId);
      const of = `${event?.type} ${subject} ${rules.get(ruleId)}`;
      return milestone ? `${of} at ${milestone.at}` : of;
    },
  };
}

async function listEvents(actor: Actor): Promise<Wire[]> {
  const all: Wire[] = [];
  for (let offset: string | null = '0'; offset !== null; ) {
    const page: Wire = await actor.reader.read(`/v1/events?offset=${offset}`);
    all.push(...page.data);
    offset = page.nextOffset;
  }
  return all;
}
