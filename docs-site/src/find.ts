/** The first element for a selector. The server writes it into the page, so a missing one is a bug. */
export function find<T extends HTMLElement = HTMLElement>(within: ParentNode, selector: string): T {
  const element = within.querySelector<T>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}
