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
/** The script is at `widget/v1.js` of the service. */
const home = script instanceof HTMLScriptElement ? new URL('..', script.src).href : null;

window.ServiceWidget ??= {
  init(options) {
    const { projectId, getToken, baseUrl } = options;
    if (!projectId) throw new TypeError('ServiceWidget: projectId is missing');
    if (typeof getToken !== 'function') throw new TypeError('ServiceWidget: getToken is missing');
    const root = baseUrl ? `${new URL(baseUrl, location.href).href.replace(/\/+$/, '')}/` : home;
    if (root === null) throw new TypeError('ServiceWidget: baseUrl is missing');
    return mount(root, options);
  },
};
