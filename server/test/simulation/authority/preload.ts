// Loaded before everything else, so that no package keeps the clock, timers or randomness of the machine.
// Keeps the real turn of the event loop.
import './rest.ts';
import { installCrypto } from './seeded-crypto.ts';
import { installSubtle } from './subtle-in-turn.ts';
import { installTime } from './virtual-globals.ts';

installTime();
installCrypto();
installSubtle();
