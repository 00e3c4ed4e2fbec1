/** What the build makes of elements: shorter than the calls that come with TypeScript's `react-jsx`. */
export { Fragment, h } from 'preact';
