// Loaded before everything else, so that no package keeps the clock, timers or randomness of the machine.
// Keeps the real turn of the event loop.
import './rest.ts';
import { installCrypto } from './seeded-crypto.ts';
import { installTime } from './virtual-globals.ts';
import { installSockets } from './virtual-sockets.ts';
import { installSubtle } from './virtual-subtle.ts';

installTime();
installCrypto();
installSubtle();
installSockets();
