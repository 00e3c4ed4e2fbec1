/** A block of code, whose text is no Markdown; or a picture or link, whose text may contain code. */
const PARTS =
  /^(?<fence>`{3,}|~{3,}).*\n[\s\S]*?\n\k<fence>[ \t]*$|(?<isPicture>!?)\[(?<text>(?:[^\]\\\n]|\\.|\n(?!\n))*)\]\((?<href>[^()\s]+)(?:\s+"[^"]*")?\)/gm;

/**
 * A page as it was written, with links that work from anywhere. `resolveLink` returns null for what
 * only the repository has: of such a link, the text remains. Of a drawing, its description remains.
 */
export function rewriteLinks(
  markdown: string,
  resolveLink: (href: string) => string | null,
): string {
  return markdown.replace(PARTS, (whole, ...groups) => {
    const { fence, isPicture, text, href } = groups.at(-1) as Record<string, string | undefined>;
    if (fence !== undefined || text === undefined || href === undefined) return whole;
    if (isPicture === '!') return `*Drawing: ${text}*`;
    const target = resolveLink(href);
    return target === null ? text : `[${text}](${target})`;
  });
}
