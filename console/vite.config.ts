import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const service = 'http://127.0.0.1:8080';

export default defineConfig(({ command }) => {
  // Whoever builds it, a test too: what is built is what is served, without what is for development.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    base: '/console/',
    plugins: [react()],
    build: {
      target: 'es2022',
      // Which file loads which: for the test that weighs the first load.
      manifest: true,
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // A page that asks for a chunk by its name must find it: no inlining, no data: addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: [page('index.html'), page('preview.html')] },
    },
    server: { proxy: { '/v1': service, '/widget': service, '/console/auth': service } },
  };
});
