import { toVisible } from '../output/layout.ts';
import type { Finding } from './finding.ts';

const COLOURS = { ok: 32, warning: 33, problem: 31 } as const;
const WIDTH = 'problem'.length;

/** A line for each finding, and the advice below it. */
export function describeFindings(findings: readonly Finding[], hasColour: boolean): string {
  const lines = findings.map(({ check, level, message, advice }) => {
    const word = level.padEnd(WIDTH);
    const shown = hasColour ? `\u001b[${COLOURS[level]}m${word}\u001b[0m` : word;
    const todo = advice === null ? '' : `${' '.repeat(WIDTH + 2)}→ ${toVisible(advice)}\n`;
    return `${shown}  ${check}: ${toVisible(message)}\n${todo}`;
  });
  const count = (level: Finding['level'], one: string) => {
    const number = findings.filter((finding) => finding.level === level).length;
    return `${number === 0 ? 'no' : number} ${one}${number === 1 ? '' : 's'}`;
  };
  return `${lines.join('')}\n${count('problem', 'problem')}, ${count('warning', 'warning')}.\n`;
}
