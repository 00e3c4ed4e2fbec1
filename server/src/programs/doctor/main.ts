import { examine } from './examine.ts';

// For `goodword doctor`, which runs this where it finds it and prints what it says.
process.stdout.write(`${JSON.stringify(await examine(process.env))}\n`);
