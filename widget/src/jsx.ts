/** The build's JSX factory: shorter than the calls of TypeScript's `react-jsx`. */
export { Fragment, h } from 'preact';
