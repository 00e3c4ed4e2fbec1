import { Socket } from 'node:net';

/** A chunk of this size is not worth delaying: it is sent, with those before it. */
const LARGE_BYTES = 8_192;

/**
 * A socket that sends everything written in one turn of the event loop with one system call.
 * Statements are written one by one, several in a turn: a call for each wakes the database each
 * time. Over TLS the driver writes to another socket, and nothing is gathered.
 */
export function createGatheringSocket(): Socket {
  const socket = new Socket();
  // Not earlier: connecting restores the socket's own `write`.
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
      // Runs after the promises that are ready, so it includes what they write.
      process.nextTick(release);
    }
    return write(...args);
  };
}
