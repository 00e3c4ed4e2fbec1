import type { ProjectWrite } from './project-write.ts';

/** How many rows a slice has at most. */
export const SLICE = 500;

/**
 * Does one slice of a longer work, so that no transaction holds a Project for long; returns what
 * does the next one, null if nothing is left. Doing a slice again changes nothing.
 */
export type Slice = (write: ProjectWrite) => Promise<Slice | null>;
