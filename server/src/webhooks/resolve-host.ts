import { lookup as askSystem } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressRules, refuseAddresses, type Scheme } from './address-rules.ts';
import { codeOf, type Failure } from './failure.ts';

/** Every address of a name. Rejects when there is none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** What may be reached, and how names become addresses. */
export interface Reach {
  readonly rules: AddressRules;
  readonly lookup: Lookup;
}

export type ResolvedHost =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

const LOOKUP_MS = 5_000;

/**
 * The system's resolver, hosts file and search domains included. It keeps a thread for each
 * look-up, so a name is asked for once at a time, and nobody waits for more than `limitMs`.
 */
export function createLookup(
  ask: Lookup = async (name) => (await askSystem(name, { all: true })).map((one) => one.address),
  limitMs = LOOKUP_MS,
): Lookup {
  const underWay = new Map<string, Promise<readonly string[]>>();
  return async (name) => {
    const answer = underWay.get(name) ?? ask(name).finally(() => underWay.delete(name));
    underWay.set(name, answer);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(Object.assign(new Error('No answer in time.'), { code: 'ETIMEOUT' })),
        limitMs,
      );
    });
    try {
      return await Promise.race([answer, limit]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** All addresses of a host, if every one of them may be called in this way. */
export async function resolveHost(
  host: string,
  scheme: Scheme,
  { rules, lookup }: Reach,
): Promise<ResolvedHost> {
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await lookup(host) : [host];
  } catch (error) {
    return notResolved(codeOf(error));
  }
  if (addresses.length === 0) return notResolved('ENODATA');
  const refusal = refuseAddresses(addresses, scheme, rules);
  if (refusal === null) return { ok: true, addresses };
  return { ok: false, failure: { reason: 'address_refused', message: refusal } };
}

function notResolved(code: string): ResolvedHost {
  const message = `The host's name could not be resolved (${code}).`;
  return { ok: false, failure: { reason: 'name_not_resolved', message } };
}
