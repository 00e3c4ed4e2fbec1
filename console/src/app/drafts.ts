/** Prefix of unfinished work in the browser's storage; deleted when its user signs out. */
export const DRAFTS = 'goodword-draft-';
