const PATHS = {
  gift: 'M4 11h16v9H4zM3 7h18v4H3zM12 7v13M12 7C9 7 7 6 7 4.5S9 3 10 4s2 3 2 3 1-2 2-3 3-1 3 .5S15 7 12 7z',
  heart: 'M12 20S4 15 4 9a4 4 0 0 1 8-1.5A4 4 0 0 1 20 9c0 6-8 11-8 11z',
  star: 'M12 3l2.7 5.7 6.3.8-4.6 4.3 1.2 6.2L12 17l-5.6 3 1.2-6.2L3 9.5l6.3-.8z',
  zap: 'M13 3L5 14h6l-1 7 8-11h-6z',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  share: 'M12 15V4M8 7l4-4 4 4M5 12v8h14v-8',
  whatsapp:
    'M3 21l1.7-5A8.5 8.5 0 1 1 8 19.3zM9 8.5c0 3.5 3 6.5 6.5 6.5l.5-2-2-1-1 1c-1-.5-2-1.5-2.5-2.5l1-1-1-2z',
  telegram: 'M21 4L3 11l5 2 2 6 3-4 5 4zM8 13l8-5-6 7',
  facebook: 'M14 21v-7h3l1-4h-4V8q0-1 1-1h3V3h-4q-4 0-4 4v3H7v4h3v7z',
  twitter: 'M4 4h4l12 16h-4zM4 20l6.5-7M20 4l-6.5 7',
  linkedin: 'M5 9v11M5 5v.01M10 20V9m0 5a4 4 0 0 1 8 0v6',
  instagram:
    'M8 3h8a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM17 7v.01',
  email: 'M3 6h18v12H3zM3 7l9 6 9-6',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
