import { useEffect, useRef } from 'react';

export interface ServiceWidgetProps {
  /** Where the service is, such as `https://refer.example.com`. */
  readonly baseUrl: string;
  readonly projectId: string;
  readonly programId?: string;
  /** Asks your backend for a Widget token of whoever is logged in. */
  readonly getToken: () => string | Promise<string>;
  /** True: the panel stands where this component is. Else a trigger floats on the page. */
  readonly inline?: boolean;
  readonly locale?: string;
  readonly onOpen?: () => void;
  readonly onShare?: (event: { readonly platform: string }) => void;
  readonly onCopy?: (event: { readonly what: 'link' | 'code' }) => void;
}

interface Script {
  init(options: object): { destroy(): void };
}

const scripts = new Map<string, Promise<Script>>();

/** Once per page, however many components there are; again after it could not be loaded. */
function loadScript(baseUrl: string): Promise<Script> {
  const src = `${baseUrl.replace(/\/+$/, '')}/widget/v1.js`;
  const known = scripts.get(src);
  if (known) return known;
  const loading = new Promise<Script>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => resolve((window as unknown as { ServiceWidget: Script }).ServiceWidget);
    script.onerror = () => {
      script.remove();
      reject(new Error(`${src} could not be loaded`));
    };
    document.head.append(script);
  });
  scripts.set(src, loading);
  loading.catch(() => scripts.delete(src));
  return loading;
}

/** The panel, for as long as this is mounted. New functions are taken on without starting again. */
export function ServiceWidget(props: ServiceWidgetProps) {
  const { baseUrl, projectId, programId, inline, locale } = props;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    let isGone = false;
    let handle: { destroy(): void } | undefined;
    loadScript(baseUrl)
      .then((script) => {
        if (isGone) return;
        handle = script.init({
          baseUrl,
          projectId,
          programId,
          locale,
          container: inline ? place.current : undefined,
          getToken: () => latest.current.getToken(),
          on: {
            open: () => latest.current.onOpen?.(),
            share: (event: { platform: string }) => latest.current.onShare?.(event),
            copy: (event: { what: 'link' | 'code' }) => latest.current.onCopy?.(event),
          },
        });
      })
      .catch((error) => console.error(error));
    return () => {
      isGone = true;
      handle?.destroy();
    };
  }, [baseUrl, projectId, programId, inline, locale]);
  return <div ref={place} />;
}
