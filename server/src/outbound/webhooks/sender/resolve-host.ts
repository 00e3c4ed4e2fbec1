import { lookup as askSystem, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { codeOf, type Failure } from '../dispatch/failure.ts';
import { type AddressRules, refuseAddresses, type Scheme } from './address-rules.ts';

/** Every address of a name. Rejects when there is none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** Which addresses are allowed, and how names are resolved. */
export interface Reach {
  readonly rules: AddressRules;
  readonly lookup: Lookup;
}

export type ResolvedHost =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

const LOOKUP_MS = 5_000;

/** How long and how often a name server is asked. */
const SERVER_MS = 1_500;
const SERVER_TRIES = 2;
/** The name does not exist, has no such record, or there is no name server. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Asks the name servers, and the system (hosts file, search domains) for names that they do not
 * know. The system is not asked first: it blocks one of two threads per name, and two names with
 * silent servers would block all others.
 */
function createAsk(): Lookup {
  const resolver = new Resolver({ timeout: SERVER_MS, tries: SERVER_TRIES });
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length > 0) return addresses;
    const failure = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const unsure = failure.find((error) => !UNKNOWN.has(codeOf(error)));
    if (unsure) throw unsure;
    return (await askSystem(name, { all: true })).map((one) => one.address);
  };
}

/** Concurrent lookups of a name are shared, and none takes longer than `limitMs`. */
export function createLookup(ask: Lookup = createAsk(), limitMs = LOOKUP_MS): Lookup {
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
