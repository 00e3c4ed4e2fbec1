// Loaded into a service before its own code: counts how often a connection to the database
// turns from receiving to sending, which is how often the service waited for an answer.
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';

const databasePort = Number(new URL(process.env.DATABASE_URL).port);
const isSending = new WeakMap();
let roundTrips = 0;

const { write } = Socket.prototype;
Socket.prototype.write = function (...args) {
  if (this.remotePort === databasePort) {
    if (isSending.get(this) === undefined) this.on('data', () => isSending.set(this, false));
    if (isSending.get(this) !== true) roundTrips += 1;
    isSending.set(this, true);
  }
  return write.apply(this, args);
};

// From here on it counts.
process.on('SIGUSR2', () => {
  roundTrips = 0;
});
process.on('exit', () => {
  writeFileSync(process.env.COUNTS_FILE, JSON.stringify({ roundTrips }));
});
