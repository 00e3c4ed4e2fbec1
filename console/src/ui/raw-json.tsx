import { useState } from 'react';
import { Snippet } from './snippet.tsx';

/** What the API answers, for whoever wants to see it; written out when it is opened. */
export function RawJson({
  value,
  label = 'As the API shows it',
}: {
  value: unknown;
  label?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && <Snippet label={label} code={JSON.stringify(value, null, 2)} isTall />}
    </details>
  );
}
