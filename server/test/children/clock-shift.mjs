// Preloaded into a process (node --import) to step its clock: by as many milliseconds as the file
// CLOCK_SHIFT_FILE says, read at the start and whenever SIGUSR2 comes.
import { readFileSync } from 'node:fs';

const machineNow = Date.now;
let shiftMs = 0;
const read = () => {
  shiftMs = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8'));
};
read();
process.on('SIGUSR2', read);
Date.now = () => machineNow() + shiftMs;
