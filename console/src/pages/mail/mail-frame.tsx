import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

interface MailFrameProps {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail as its reader sees it. No script can run in the frame, and its links lead nowhere. */
export function MailFrame({ subject, text, html }: MailFrameProps) {
  const [form, setForm] = useState('html');
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="Form of the mail"
        value={form}
        onChange={setForm}
        data={[
          { value: 'html', label: 'Mail' },
          { value: 'text', label: 'Plain text' },
        ]}
      />
      <Text fw={600}>{subject}</Text>
      {form === 'html' ? <HtmlFrame html={html} /> : <pre className="mail-text">{text}</pre>}
    </Stack>
  );
}

function HtmlFrame({ html }: { html: string }) {
  const ref = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const root = ref.current?.contentDocument?.documentElement;
    if (!isReady || !root) return;
    // Setting the content drops the attributes of the root.
    const [, lang = '', dir = ''] = /<html lang="(\w+)" dir="(\w+)">/.exec(html) ?? [];
    root.lang = lang;
    root.dir = dir;
    root.innerHTML = html;
  }, [html, isReady]);
  return (
    <iframe
      ref={ref}
      className="mail-frame"
      src="/console/mail-preview.html"
      sandbox="allow-same-origin"
      title="Preview of the mail"
      onLoad={() => setReady(true)}
    />
  );
}
