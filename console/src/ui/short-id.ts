/** `pay_01ka…x7q2m9`: ids of the same day begin alike, and differ at the end. */
export const shortId = (id: string): string => {
  const mark = id.indexOf('_') + 1;
  return id.length - mark > 10 ? `${id.slice(0, mark)}…${id.slice(-8)}` : id;
};
