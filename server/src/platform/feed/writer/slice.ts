import type { ProjectWrite } from './project-write.ts';

/** Maximum number of rows of a slice. */
export const SLICE = 500;

/**
 * Does one slice of a longer task, so that no transaction locks a Project for long; returns the
 * next slice, null if nothing is left. Repeating a slice changes nothing.
 */
export type Slice = (write: ProjectWrite) => Promise<Slice | null>;
