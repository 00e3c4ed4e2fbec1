/**
 * Ids of headings as code hosts make them, so that a link such as `webhooks.md#retries` leads to
 * the same place there and here.
 */
export function makeHeadingIds(): (title: string) => string {
  const taken = new Map<string, number>();
  return (title) => {
    const plain = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const before = taken.get(plain) ?? 0;
    taken.set(plain, before + 1);
    return before === 0 ? plain : `${plain}-${before}`;
  };
}
