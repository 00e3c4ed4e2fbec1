import type { RoundingPolicy } from '../../programs/rules/benefit-words.ts';

/** `numerator / denominator`, rounded once. The numerator must be at least 0, the denominator above 0. */
export function divideRounded(
  numerator: bigint,
  denominator: bigint,
  policy: RoundingPolicy,
): bigint {
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  return roundsUp(quotient, rest, denominator, policy) ? quotient + 1n : quotient;
}

function roundsUp(
  quotient: bigint,
  rest: bigint,
  denominator: bigint,
  policy: RoundingPolicy,
): boolean {
  if (rest === 0n) return false;
  const twice = 2n * rest;
  switch (policy) {
    case 'down':
      return false;
    case 'up':
      return true;
    case 'half_up':
      return twice >= denominator;
    case 'half_even':
      return twice > denominator || (twice === denominator && quotient % 2n === 1n);
  }
}
