import { useMemo } from 'react';
import { encode } from 'uqr';

/** Dark on white in both colour schemes, as cameras need it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { border: 3 }), [text]);
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={200} height={200}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
