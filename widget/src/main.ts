import { mount } from './mount.ts';
import type { WidgetHandle, WidgetOptions } from './options.ts';

export interface ServiceWidget {
  init(options: WidgetOptions): WidgetHandle;
}

declare global {
  interface Window {
    ServiceWidget?: ServiceWidget;
  }
}

const script = document.currentScript;
/** The script is at `widget/v1.js` of the service, unless the page bundles it. */
const home =
  script instanceof HTMLScriptElement && script.src ? new URL('..', script.src).href : null;

const floating = new Map<string, WidgetHandle>();

window.ServiceWidget ??= {
  init(options) {
    const { projectId, programId, container, getToken, baseUrl } = options ?? {};
    if (!projectId) throw new TypeError('ServiceWidget: projectId is missing');
    if (typeof getToken !== 'function') throw new TypeError('ServiceWidget: getToken is missing');
    const root = baseUrl ? `${new URL(baseUrl, location.href).href.replace(/\/+$/, '')}/` : home;
    if (root === null) throw new TypeError('ServiceWidget: baseUrl is missing');
    if (container) return mount(root, options);
    // One trigger would hide the other.
    const key = `${projectId} ${programId}`;
    floating.get(key)?.destroy();
    const handle = mount(root, options);
    floating.set(key, handle);
    return handle;
  },
};
