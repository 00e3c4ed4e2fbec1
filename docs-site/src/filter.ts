import { find } from './find.ts';

/** The filter of the reference's contents: an item stays if it has all the words. */
export function addFilter(contents: HTMLElement, box: HTMLElement): void {
  const input = find<HTMLInputElement>(box, 'input');
  const status = find(box, '.found');
  const items = [...contents.querySelectorAll('li')];
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) {
      item.hidden = !words.every((word) => item.dataset.find?.includes(word));
    }
    for (const group of contents.querySelectorAll<HTMLElement>('.group')) {
      group.hidden = !group.querySelector('li:not([hidden])');
    }
    status.textContent = words.length === 0 ? '' : describe(items.filter(isShown).length);
  });
}

const isShown = (item: HTMLElement): boolean => !item.hidden;
const describe = (count: number): string => (count === 0 ? 'Nothing found' : `${count} found`);
