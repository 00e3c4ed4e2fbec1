import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';
import { authority } from './current.ts';

/** Work of other threads, which ends whenever it ends: a world does without. */
const THREADED = [
  ...(['scrypt', 'pbkdf2', 'hkdf', 'generateKeyPair', 'generateKey', 'randomFill'] as const),
  ...(['checkPrime', 'generatePrime'] as const),
];
const PACKERS = ['gzip', 'gunzip', 'deflate', 'inflate', 'brotliCompress', 'unzip'] as const;

/** Replaces the randomness of this process: in a world, secrets, ids and nonces come from its seed. */
export function installCrypto(): void {
  const real = { ...crypto };
  const fillReally = globalThis.crypto.getRandomValues.bind(globalThis.crypto);
  const uuidReally = globalThis.crypto.randomUUID.bind(globalThis.crypto);
  const randomReally = Math.random;
  const fill = <T extends NodeJS.ArrayBufferView>(view: T, from = 0, size?: number): T => {
    const current = authority();
    if (!current) return real.randomFillSync(view, from, size as number);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const end = size === undefined ? bytes.length : from + size;
    for (let at = from; at < end; at += 1) bytes[at] = current.random(256);
    return view;
  };
  const uuid = () => {
    if (!authority()) return uuidReally();
    const hex = fill(Buffer.alloc(16)).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}` as const;
  };
  Object.assign(crypto, {
    randomFillSync: fill,
    randomBytes: (size: number) => fill(Buffer.alloc(size)),
    randomInt: (one: number, other?: number) => {
      const [from, to] = other === undefined ? [0, one] : [one, other];
      const current = authority();
      return current ? from + current.random(to - from) : real.randomInt(from, to);
    },
    randomUUID: uuid,
  });
  globalThis.crypto.getRandomValues = ((view: NodeJS.ArrayBufferView) =>
    authority() ? fill(view) : fillReally(view as never)) as typeof fillReally;
  globalThis.crypto.randomUUID = uuid;
  Math.random = () => {
    const current = authority();
    return current ? current.random(2 ** 30) / 2 ** 30 : randomReally();
  };
  refuseInWorlds(crypto as never, THREADED);
  refuseInWorlds(zlib as never, PACKERS);
  syncBuiltinESMExports();
}

type Module = Record<string, (...args: unknown[]) => unknown>;

function refuseInWorlds(module: Module, names: readonly string[]): void {
  for (const name of names) {
    const really = module[name];
    if (!really) throw new Error(`Node.js has no ${name}.`);
    module[name] = (...args) => {
      if (authority()) throw new Error(`${name} works in another thread, which no seed decides.`);
      return really(...args);
    };
  }
}
