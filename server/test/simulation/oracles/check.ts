import { verifyProject } from '../../../src/programs/verify/verify-all.ts';
import type { Receivers } from '../outside/receivers.ts';
import type { ServiceProcess } from '../process/service-process.ts';
import type { Actor } from '../world/actor.ts';
import { checkContract } from './check-contract.ts';
import { checkFeed } from './check-feed.ts';

interface Judged {
  readonly actor: Actor;
  readonly receivers: Receivers;
  readonly process: ServiceProcess;
}

/** What is not as it must be in a world that has come to rest. */
export async function check({ actor, receivers, process }: Judged): Promise<string[]> {
  const { database } = process.service;
  const { kept } = await verifyProject(database, actor.project.projectId, () => undefined);
  return [
    ...kept.map((one) => `verify: ${JSON.stringify(one)}`),
    ...(await checkContract(actor, receivers)),
    ...(await checkFeed(actor, receivers)),
  ];
}
