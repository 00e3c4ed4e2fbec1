import { webcrypto as ofNode } from 'node:crypto';

// Before Node 19 it is not among the globals.
export const webcrypto = globalThis.crypto ?? ofNode;
