/** A number from 0 to below `max`. */
export type Random = (max: number) => number;

export const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;
export const chance = (random: Random, percent: number) => random(100) < percent;
