export { formatCount } from './format-count.ts';
