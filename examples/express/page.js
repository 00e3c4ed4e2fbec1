import { randomUUID } from 'node:crypto';
import { settings } from './settings.js';

const { goodwordUrl, projectKey, projectId, programId } = settings;

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 36rem; margin: 2rem auto; padding: 0 1rem }
form, label { display: grid; gap: 0.5rem }
form { margin: 1rem 0 2rem; gap: 1rem }
input, button { font: inherit; padding: 0.5rem 0.75rem }`;

/** @param {string} text */
const escapeHtml = (text) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const SIGN_UP = `
<form method="post" action="/sign-up">
  <label>Your name <input name="name" required maxlength="100"></label>
  <label>A friend’s code <input name="code" maxlength="64"></label>
  <button>Sign up</button>
</form>`;

/** @param {bigint} minor */
const dollars = (minor) => `$${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

/** @param {import('./shop.js').User} user */
const account = (user) => `
<p>Signed in as ${escapeHtml(user.name)}. Your credit: ${dollars(user.creditMinor)}</p>
<form method="post" action="/buy">
  <input type="hidden" name="orderId" value="${randomUUID()}">
  <button>Buy a mug for $40.00</button>
</form>
<div id="referrals"></div>
<script src="${goodwordUrl}/widget/v1.js"></script>
<script>
  ServiceWidget.init({
    projectId: '${projectId}',
    programId: '${programId}',
    container: '#referrals',
    async getToken() {
      const answer = await fetch('/widget-token');
      if (!answer.ok) throw new Error('No token: ' + answer.status);
      return answer.text();
    },
  });
</script>`;

/** @param {import('./shop.js').User | null} user */
export const renderPage = (user) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Acme Mugs</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<script async src="${goodwordUrl}/landing/v1.js" data-project="${projectKey}"></script>
</head>
<body>
<main>
<h1>Acme Mugs</h1>
${user ? account(user) : SIGN_UP}
</main>
</body>
</html>`;
