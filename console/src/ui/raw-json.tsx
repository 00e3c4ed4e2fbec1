import { useState } from 'react';
import { Snippet } from './snippet.tsx';

/** The API's response, for developers; rendered when it is opened. */
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
