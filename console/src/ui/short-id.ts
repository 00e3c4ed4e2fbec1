/** `pay_01ka…x7q2m9`: ids of the same day begin alike, and differ at the end. */
export const shortId = (id: string): string => {
  const mark = id.indexOf('_') + 1;
  // Not an id of ours, but a word: the name of a list, for example.
  if (mark === 0) return id;
  return id.length - mark > 10 ? `${id.slice(0, mark)}…${id.slice(-8)}` : id;
};
