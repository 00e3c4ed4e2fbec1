import { Socket } from 'node:net';

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
  socket.write = (...args: unknown[]) => {
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      // Runs when the promises that are ready have run, and with them what they write.
      process.nextTick(() => {
        isGathering = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
}
