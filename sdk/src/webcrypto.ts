/** WebCrypto. Node 18 has it in a module of its own: see webcrypto-node.js. */
export const webcrypto: Crypto = globalThis.crypto;
