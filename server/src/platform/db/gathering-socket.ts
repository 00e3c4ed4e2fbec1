import { Socket } from 'node:net';

/** A chunk of this size has waited long enough for others: it goes, with those before it. */
const LARGE_BYTES = 8_192;

/**
 * A socket that sends what is written in one turn of the event loop with one system call.
 * Statements are written one by one, several in a turn: a call for each wakes the database
 * each time. Over TLS the driver writes to another socket, and nothing is gathered.
 */
export function createGatheringSocket(): Socket {
  const socket = new Socket();
  // Not before: connecting puts the socket's own `write` back.
  socket.once('connect', () => gatherWrites(socket));
  return socket;
}

function gatherWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isGathering = false;
  const release = () => {
    if (!isGathering) return;
    isGathering = false;
    socket.uncork();
  };
  socket.write = (...args: unknown[]) => {
    if ((args[0] as Uint8Array).length >= LARGE_BYTES) {
      release();
    } else if (!isGathering) {
      isGathering = true;
      socket.cork();
      // Runs when the promises that are ready have run, and with them what they write.
      process.nextTick(release);
    }
    return write(...args);
  };
}
