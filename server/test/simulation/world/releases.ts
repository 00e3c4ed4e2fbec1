import type { TestProject } from '../../new-project.ts';
import type { Caller } from './caller.ts';
import { operate } from './operate.ts';
import type { Wire } from './reader.ts';

/** What operators do about the payments of a Workspace whose store was lost. */
export class Releases {
  readonly #caller: Caller;
  readonly #path: string;

  constructor({ workspaceId }: TestProject, caller: Caller) {
    this.#caller = caller;
    this.#path = `/v1/workspaces/${workspaceId}/restores`;
  }

  /**
   * Lets the Workspace pay again; false while a provider was not asked yet. Of one that has no list, somebody adds what its
   * website shows.
   */
  async release(website: () => readonly string[]): Promise<boolean> {
    const { data } = await this.#operate('GET', this.#path);
    const held = data.find(({ status }: Wire) => status === 'held');
    if (!held) return true;
    for (const { status, connectionId, override } of held.checks)
      if (status === 'cannot_list' && !override)
        await this.#addByHand(held.id, connectionId, website());
    if (!held.canRelease) return false;
    await this.#operate('POST', `${this.#path}/${held.id}/release`, { acceptUnassigned: true });
    return true;
  }

  /** Transfers of which the store learned after it was restored. */
  async advances(): Promise<Wire[]> {
    const all: Wire[] = [];
    for (const { id } of (await this.#operate('GET', this.#path)).data)
      all.push(...(await this.#operate('GET', `${this.#path}/${id}/transfers?limit=100`)).data);
    return all;
  }

  async #addByHand(
    restoreId: string,
    connectionId: string,
    references: readonly string[],
  ): Promise<void> {
    const path = `${this.#path}/${restoreId}`;
    if (references.length > 0)
      await this.#operate('POST', `${path}/transfers`, { connectionId, references });
    const reason = 'Everything that its website shows was added.';
    await this.#operate('POST', `${path}/checks/${connectionId}/override`, { reason });
  }

  #operate(method: 'GET' | 'POST', path: string, body?: object): Promise<Wire> {
    return operate(this.#caller, method, path, body);
  }
}
