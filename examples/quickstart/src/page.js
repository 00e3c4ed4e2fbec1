import { formatMoney, formatRate } from './format.js';
import { html } from './html.js';
import { PRODUCT } from './shop.js';

/** @typedef {import('./shop.js').Person} Person */
/** @typedef {import('./server.js').Settings} Settings */

/**
 * The shop's only page.
 * @param {object} view
 * @param {Settings} view.settings
 * @param {Person | null} view.person Who is signed in.
 * @param {number | null} view.price For them.
 * @param {boolean} view.isInvited Whether a link of a friend led here.
 */
export function renderPage({ settings, person, price, isInvited }) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Acme Mugs</title>
<link rel="icon" href="/mug.svg">
<link rel="stylesheet" href="/shop.css">
<script async src="${settings.goodwordUrl}/landing/v1.js" data-project="${settings.projectKey}"></script>
${person ? widget(settings) : null}
</head>
<body>
<header>
  <p class="brand">Acme Mugs</p>
  ${person ? account(person) : null}
</header>
<main>
  ${isInvited && !person ? INVITATION : null}
  <article class="product">
    <div class="picture"><img src="/mug.svg" alt="A round stoneware mug with steam rising from it" width="320" height="320"></div>
    <div class="about">
      <h1>${PRODUCT.name}</h1>
      <p>Thrown by hand and glazed twice. Holds enough coffee for one good idea.</p>
      ${priceTag(price)}
      ${person ? buyForm(person) : SIGN_UP}
    </div>
  </article>
  <div class="below">
    ${person ? happenings(person) : null}
    ${STEPS}
  </div>
</main>
<footer>
  <p>Nothing is sold here: this is <code>examples/quickstart</code> of Goodword, a shop to try and to copy.</p>
</footer>
</body>
</html>
`.text;
}

/**
 * Where somebody is signed in: the panel, and what starts it.
 * @param {Settings} settings
 */
const widget = ({ goodwordUrl, projectId, programId }) => html`
<script src="${goodwordUrl}/widget/v1.js" defer></script>
<script src="/start-widget.js" data-project="${projectId}" data-program="${programId}" defer></script>`;

/** @param {Person} person */
const account = ({ name }) => html`
  <form class="account" action="/sign-out" method="post">
    <p>Signed in as <b>${name}</b></p>
    <button class="quiet">Sign out</button>
  </form>`;

const INVITATION = html`
  <p class="invitation"><b>A friend invited you.</b> Sign up, and your first order is 10% off.</p>`;

/** @param {number | null} price */
function priceTag(price) {
  const { amountMinor, currency } = PRODUCT;
  const full = formatMoney(amountMinor, currency);
  if (price === null || price === amountMinor) return html`<p class="price">${full}</p>`;
  const off = formatRate((10_000 * (amountMinor - price)) / amountMinor);
  return html`
      <p class="price">${formatMoney(price, currency)} <s><span class="hidden">instead of </span>${full}</s> <span class="off">${off} off</span></p>`;
}

const SIGN_UP = html`
      <form class="sign-up" action="/sign-up" method="post">
        <label for="name">Your name</label>
        <div>
          <input id="name" name="name" required maxlength="40" autocomplete="off" aria-describedby="name-hint">
          <button>Sign up</button>
        </div>
        <p id="name-hint" class="hint">Any name will do. One that is known here signs in again: there are no passwords.</p>
      </form>`;

/** @param {Person} person */
const buyForm = ({ cartId }) => html`
      <form action="/buy" method="post">
        <input type="hidden" name="cart" value="${cartId}">
        <button class="buy">Buy</button>
      </form>`;

/** @param {Person} person */
const happenings = ({ notes }) => html`
    <section aria-labelledby="happenings">
      <h2 id="happenings">What just happened</h2>
      <ul class="notes">
        ${notes.map(({ text }) => html`<li>${text}</li>`).reverse()}
      </ul>
    </section>`;

const STEPS = html`
    <section aria-labelledby="steps">
      <h2 id="steps">See the whole circle</h2>
      <ol class="steps">
        <li>Sign up as Alice, open the panel in the corner and copy her link.</li>
        <li>Open the link as a friend: best in a private window or another browser profile, else sign out first. Sign up as Bob and buy.</li>
        <li>Back as Alice, open the panel again: there is what she earned.</li>
      </ol>
    </section>`;
