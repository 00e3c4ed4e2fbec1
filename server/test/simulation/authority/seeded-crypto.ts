import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Random = (max: number) => number;

/** Replaces the randomness of this process for good: secrets, ids and nonces come from the seed. */
export function install(current: () => Random): void {
  const fill = <T extends NodeJS.ArrayBufferView>(view: T, from = 0, size?: number): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const end = size === undefined ? bytes.length : from + size;
    const random = current();
    for (let at = from; at < end; at += 1) bytes[at] = random(256);
    return view;
  };
  Object.assign(crypto, {
    randomFillSync: fill,
    randomBytes: (size: number) => fill(Buffer.alloc(size)),
    randomInt: (one: number, other?: number) => {
      const [from, to] = other === undefined ? [0, one] : [one, other];
      return from + current()(to - from);
    },
    randomUUID: () => {
      const hex = fill(Buffer.alloc(16)).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  });
  globalThis.crypto.getRandomValues = fill as typeof globalThis.crypto.getRandomValues;
  globalThis.crypto.randomUUID = crypto.randomUUID;
  Math.random = () => current()(2 ** 30) / 2 ** 30;
  syncBuiltinESMExports();
}
