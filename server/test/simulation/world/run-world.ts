import type { PGlite } from '@electric-sql/pglite';
import type { Mutex } from '../../../src/platform/db/embedded/mutex.ts';
import { newProject } from '../../new-project.ts';
import { makeRandom } from '../../random.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';
import { check } from '../oracles/check.ts';
import { READ_MS } from '../oracles/check-mails.ts';
import { Mailbox } from '../outside/mailbox.ts';
import { Payments } from '../outside/payments.ts';
import { Receivers } from '../outside/receivers.ts';
import { StoreCopies } from '../outside/store-copies.ts';
import { ServiceProcess } from '../process/service-process.ts';
import { Actor } from './actor.ts';
import { Caller } from './caller.ts';
import { letWorkersLook } from './calm.ts';
import { Letters } from './letters.ts';
import { customerOf, partiesOf } from './names.ts';
import { type Operation, paysOut, usesStripe, type WorldSpec } from './operations.ts';
import { Restores } from './restores.ts';
import { settlePayouts } from './settle-payouts.ts';
import { Sightings } from './sightings.ts';

export interface WorldResult {
  /** What is wrong; empty for a world in order. */
  readonly findings: readonly string[];
  /** How often was answered what. */
  readonly seen: ReadonlyMap<string, number>;
}

export interface Stage {
  readonly time: VirtualTime;
  readonly engine: PGlite;
  readonly mutex: Mutex;
}

const RESTART_MS = 3_000;
const HOUR_MS = 3_600_000;
const KEY_LIFE_MS = 24 * HOUR_MS;
const KEYED: ReadonlySet<string> = new Set(['terms', 'status', 'policy']);
/** How long a world goes on living after the last fault. */
const CALM_MS = 5_000;
/** Every worker has looked by then. */
const CREDITED_MS = 35_000;

/** Plays a world to its end, mends all that is broken, waits until nothing is due, and looks at what is there. */
export async function runWorld(
  spec: WorldSpec,
  { time, engine, mutex }: Stage,
): Promise<WorldResult> {
  const random = makeRandom(spec.seed ^ 0x5eed);
  const receivers = new Receivers(time);
  const payments = new Payments(time);
  if (usesStripe(spec))
    payments.stripe.addCustomers(
      Array.from({ length: partiesOf(spec) }, (_, at) => customerOf(at)),
    );
  const mailbox = new Mailbox(time);
  const outside = {
    time,
    engine,
    mutex,
    receivers,
    hasMail: spec.mail === true,
    hasStripe: usesStripe(spec),
  };
  const processes = Array.from(
    { length: spec.processes },
    (_, index) => new ServiceProcess(`process ${index}`, outside),
  );
  const [first] = processes as [ServiceProcess];
  await Promise.all(processes.map((one) => one.start()));
  const project = await newProject(first.service, 'live');
  const sightings = new Sightings();
  const caller = new Caller(time, processes, random, sightings);
  const actor = new Actor(spec, project, caller, receivers);
  const letters = new Letters(caller, mailbox);
  await actor.setUp();
  const copies = new StoreCopies(engine, mutex);
  const restores = new Restores({ time, copies, processes, actor, receivers, payments });

  let isCalm = false;
  /** Starts again whatever crashed, as a supervisor does. */
  const supervise = async () => {
    while (!isCalm) {
      for (const one of processes) {
        // It may crash while it starts, too.
        if (!one.isDead || restores.isUnderWay) continue;
        await one.start().catch(() => sightings.see('a process crashed while it started'));
      }
      await time.sleep(RESTART_MS);
    }
  };
  const supervisor = supervise();
  const running: Promise<void>[] = [];
  /** Those of calls that would do something again if they were repeated after the life of their Idempotency-Key. */
  const keyed: Promise<void>[] = [];
  const announce = async (nth: number) => {
    const { body } = await actor.cashier.hint(payments, nth);
    sightings.see(`PayPal announced ${body.data.isAsked ? 'a known' : 'an unknown'} transfer`);
  };
  for (const operation of spec.operations) {
    if (operation.gapMs > 0) await time.sleep(operation.gapMs);
    const process = 'process' in operation ? processes[operation.process] : undefined;
    if (operation.kind === 'back_up' || operation.kind === 'put_back') {
      // What is acknowledged before is in the copy, and everything else is not.
      await Promise.all(running);
      if (operation.kind === 'back_up') await restores.backUp();
      else if (await restores.putBack()) sightings.see('a store was put back');
      continue;
    }
    if (operation.kind === 'suspend' || operation.kind === 'reinstate') {
      // No answer to anything else says whether its partner was suspended by then.
      await Promise.all(running);
      await actor.act(operation);
      continue;
    }
    if (operation.kind === 'sleep' && operation.ms >= KEY_LIFE_MS) await Promise.all(keyed);
    if (operation.kind === 'wait') {
      await time.sleep(operation.ms);
      continue;
    }
    if (operation.kind === 'unsubscribe') {
      running.push(letters.unsubscribe(operation.person));
      continue;
    }
    if (operation.kind === 'hint') {
      if (payments.paypal.hasBatches) running.push(announce(operation.nth));
      continue;
    }
    if (disturb(operation, process, { time, receivers, payments, mailbox, spec })) {
      sightings.see(operation.kind);
    } else {
      const done = actor.act(operation);
      running.push(done);
      if (KEYED.has(operation.kind)) keyed.push(done);
    }
    if (operation.kind === 'freeze' && process?.isInTransaction)
      sightings.see('a process was frozen in a transaction');
  }
  for (const one of processes) {
    one.thaw();
    Object.assign(one.faults, {
      statementsLeft: null,
      lostCommits: 0,
      refusesUntilMs: 0,
      slowMs: 0,
    });
    one.keepUp();
  }
  receivers.heal();
  payments.heal();
  mailbox.setMode('ok');
  await Promise.all(running);
  isCalm = true;
  await supervisor;
  for (const one of processes) if (one.isDead) await one.start();
  // Facts are not mailed that are older than a day when the feed is read.
  if (spec.mail) await time.sleep(READ_MS);
  // What waits for a signup gives up after a day; retries are an hour apart at most.
  for (const ms of [25 * HOUR_MS, 2 * HOUR_MS, 2 * HOUR_MS]) {
    time.jump(ms);
    await letWorkersLook(spec, time, CALM_MS);
  }
  if (usesStripe(spec)) {
    // Longer than any hold of a world, and then than a failed call waits.
    for (const ms of [31 * 24 * HOUR_MS, 2 * HOUR_MS, 2 * HOUR_MS]) {
      time.jump(ms);
      await letWorkersLook(spec, time, CREDITED_MS);
    }
  }
  if (paysOut(spec)) await settlePayouts(actor, { payments, time, sightings });
  const findings = await check({
    actor,
    receivers,
    payments,
    mailbox,
    letters,
    time,
    process: first,
    sightings,
  });
  for (const one of processes) one.crash();
  return { findings: [...caller.faults, ...findings], seen: sightings.counts };
}

interface Disturbed {
  readonly time: VirtualTime;
  readonly receivers: Receivers;
  readonly payments: Payments;
  readonly mailbox: Mailbox;
  readonly spec: WorldSpec;
}

/** Does what is no call; false if the operation is one. */
function disturb(
  operation: Operation,
  process: ServiceProcess | undefined,
  { time, receivers, payments, mailbox, spec }: Disturbed,
): boolean {
  switch (operation.kind) {
    case 'sleep':
      time.jump(operation.ms);
      return true;
    case 'receiver': {
      const endpoint = spec.endpoints[operation.endpoint];
      if (endpoint) receivers.setMode(endpoint.url, operation.mode);
      return true;
    }
    case 'smtp':
      mailbox.setMode(operation.mode);
      return true;
    case 'provider':
      payments.fault(operation.fault, operation.at ?? 'wise');
      return true;
    case 'customer':
      payments.stripe.act(customerOf(operation.person), operation.deed);
      return true;
    case 'transfer':
      payments.end(operation.nth, operation.to, operation.at ?? 'wise');
      return true;
    case 'crash':
      process?.crashAt(operation.statements);
      return true;
    case 'break':
      if (process) process.faults.statementsLeft = operation.statements;
      return true;
    case 'freeze':
      process?.freeze();
      time.addTimer(() => process?.thaw(), operation.ms);
      return true;
    case 'refuse':
      if (process) process.faults.refusesUntilMs = time.nowMs + operation.ms;
      return true;
    case 'slow':
      if (process) process.faults.slowMs = operation.ms;
      return true;
    case 'lose_commit':
      if (process) process.faults.lostCommits += 1;
      return true;
    default:
      return false;
  }
}
