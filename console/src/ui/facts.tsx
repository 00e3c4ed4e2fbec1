import { Fragment, type ReactNode } from 'react';

/** Names and values, one below the other; undefined rows are left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode] | undefined)[] }) {
  return (
    <dl className="facts">
      {rows
        .filter((row) => row !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
