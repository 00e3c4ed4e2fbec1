import { Socket } from 'node:net';

/**
 * A socket that sends what is written in one turn of the event loop with one system call.
 * Statements are written one by one, several in a turn.
 */
export function createGatheringSocket(): Socket {
  const socket = new Socket();
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
  return socket;
}
