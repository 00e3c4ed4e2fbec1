/**
 * The parts of an event that are read here. There are more, and there will be: ignore them.
 * @typedef {object} Reward
 * @property {string} id
 * @property {'cash' | 'credit' | 'discount' | 'custom'} benefitKind
 * @property {object | null} money Exactly one of these three is set.
 * @property {object | null} discount
 * @property {object | null} custom
 * @property {{ externalId: string | null }} beneficiary
 * @property {{ method: string }} delivery
 */
/** @typedef {{ id: string, type: string, occurredAt: string, projectId: string, data: { reward: Reward } }} Event */
/** @typedef {{ status: number, text: string }} Answer */

/**
 * @typedef {object} Deps
 * @property {import('./book.js').Book} book
 * @property {import('./goodword.js').ReportTakeBack | null} reportTakeBack Null without a key.
 */

/** Samples that an operator asked for. What they tell of does not exist. */
const TEST_ID = /^wev_test_/;

/**
 * Does what an event asks for and says what to answer. Deliveries repeat, come late and in any
 * order: each path below ends the same however often and whenever it is taken. Between looking into
 * the book and recording there is no `await`, so of two at once only one acts.
 * @param {Deps} deps
 * @param {Event} event
 * @returns {Promise<Answer>}
 */
export async function handleEvent(deps, event) {
  if (TEST_ID.test(event.id)) return { status: 200, text: 'A test: nothing was done.' };
  switch (event.type) {
    case 'reward.earned':
      return grant(deps, event);
    case 'reward.voided':
      return takeBack(deps, event);
    case 'reward.restored':
      return giveBack(deps, event);
    default:
      return note(deps, event);
  }
}

/**
 * By the Reward's id, not the event's: that is what must not be given twice. In the mode
 * `on_delivery` 200 says "granted", and 202 "received, but not granted".
 * @param {Deps} deps
 * @param {Event} event
 */
async function grant({ book }, event) {
  const { reward } = event.data;
  restore(book, event);
  const known = book.reward(reward.id);
  if (!known.isGranted) {
    const to = reward.beneficiary.externalId;
    if (known.isVoided || to === null || !isOurs(reward)) {
      return { status: 202, text: 'Not granted here.' };
    }
    // Your product would add the credit here, in the transaction that remembers the Reward's id.
    const what = reward.money ?? reward.discount ?? reward.custom;
    const { id: eventId, occurredAt } = event;
    book.record({ kind: 'granted', rewardId: reward.id, eventId, occurredAt, to, what });
  }
  await book.saved();
  return { status: 200, text: 'Granted.' };
}

/**
 * A refund that failed makes a voided Reward due again. By its time this is told from an event that
 * comes late: what happened before the newest that is known changes nothing.
 * @param {Deps['book']} book
 * @param {Event} event
 */
function restore(book, { id: eventId, type, occurredAt, data }) {
  const rewardId = data.reward.id;
  const { isGranted, isVoided, changedAt } = book.reward(rewardId);
  const isNew = type === 'reward.earned' && !isGranted && !isVoided;
  if (isNew || occurredAt <= changedAt) return;
  book.record({ kind: 'restored', rewardId, eventId, occurredAt });
}

/**
 * A granted Reward counts again. If it was taken back here, it is given once more.
 * @param {Deps} deps
 * @param {Event} event
 */
async function giveBack(deps, event) {
  const { isGranted, isVoided } = deps.book.reward(event.data.reward.id);
  restore(deps.book, event);
  return isGranted && isVoided ? grant(deps, event) : note(deps, event);
}

/**
 * A rule of this receiver's own: cash is paid by the accountants, who report it themselves; and what
 * Goodword delivers itself must not be given a second time. Partners, who have no id in the product,
 * get nothing here either.
 * @param {Reward} reward
 */
function isOurs(reward) {
  return reward.benefitKind !== 'cash' && ['operator', 'manual'].includes(reward.delivery.method);
}

/**
 * The operator voided a Reward. If it was granted, it is taken back, and Goodword is told. If it
 * comes before `reward.earned`, that finds it here and grants nothing.
 * @param {Deps} deps
 * @param {Event} event
 */
async function takeBack({ book, reportTakeBack }, event) {
  const rewardId = event.data.reward.id;
  const { id: eventId, occurredAt } = event;
  const { isGranted: wasGranted, isVoided, changedAt } = book.reward(rewardId);
  if (occurredAt < changedAt && !isVoided) return { status: 200, text: 'It is due again.' };
  if (!isVoided) book.record({ kind: 'voided', rewardId, eventId, occurredAt, wasGranted });
  await book.saved();
  if (!wasGranted) return { status: 200, text: 'It was not granted.' };
  if (reportTakeBack && !book.reward(rewardId).isReported) {
    try {
      await reportTakeBack(event.projectId, rewardId);
    } catch (error) {
      // Goodword may not know of the grant yet, if our answer to it is still on its way. It asks
      // again, and by then it does.
      return { status: 503, text: `Taken back, but not reported: ${error}` };
    }
    book.record({ kind: 'reported', rewardId });
    await book.saved();
  }
  return { status: 200, text: 'Taken back.' };
}

/**
 * Everything else is noted once, by the event's id.
 * @param {Deps} deps
 * @param {Event} event
 */
async function note({ book }, event) {
  if (!book.hasSeen(event.id)) book.record({ kind: 'seen', eventId: event.id, type: event.type });
  await book.saved();
  return { status: 200, text: 'Noted.' };
}
