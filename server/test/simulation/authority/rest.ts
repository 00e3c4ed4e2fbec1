import { isCrypting } from './virtual-subtle.ts';

/** Kept from before the simulation replaces it. */
const realImmediate = setImmediate;

/** What the process itself has open from its start to its end. */
const isOfProcess = (resource: string) =>
  ['Timeout', 'Immediate', 'PipeWrap', 'TTYWrap', 'TCPSocketWrap', 'CloseReq'].includes(resource);

/**
 * Resolves once all that can run has run. The engine is in this process and answers without the event loop, so a turn
 * of the loop is enough, unless files are read, such as those of a package that is imported now, or web crypto works:
 * then it waits for these, however long they take.
 */
export async function rest(): Promise<void> {
  do await new Promise((resolve) => realImmediate(resolve));
  while (isCrypting() || !process.getActiveResourcesInfo().every(isOfProcess));
}
