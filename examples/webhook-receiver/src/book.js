import { Ledger } from './ledger.js';

/**
 * What became of a Reward here.
 * @typedef {object} KnownReward
 * @property {boolean} isGranted Whether it was given, also if a void has taken it back since.
 * @property {boolean} isVoided Then it is not given any more, and what was given was taken back.
 * @property {boolean} isReported Whether Goodword knows that it was taken back.
 * @property {string} changedAt The `occurredAt` of the newest event that said whether it is due.
 */

/**
 * @typedef {{ kind: 'granted', rewardId: string, eventId: string, occurredAt: string, to: string, what: object | null }
 *   | { kind: 'voided', rewardId: string, eventId: string, wasGranted: boolean, occurredAt: string }
 *   | { kind: 'restored', rewardId: string, eventId: string, occurredAt: string }
 *   | { kind: 'reported', rewardId: string }
 *   | { kind: 'seen', eventId: string, type: string }} Entry
 */

/** @type {KnownReward} */
const NOTHING = { isGranted: false, isVoided: false, isReported: false, changedAt: '' };

/** What the ledger says, in memory. Your product's database would stand here. */
export class Book {
  #ledger;
  /** @type {Map<string, KnownReward>} */
  #rewards = new Map();
  /** @type {Set<string>} */
  #seen = new Set();

  /** @param {Ledger} ledger */
  constructor(ledger) {
    this.#ledger = ledger;
  }

  /** @param {string} path */
  static async open(path) {
    const { ledger, entries } = await Ledger.open(path);
    const book = new Book(ledger);
    for (const entry of entries) book.#apply(/** @type {Entry} */ (entry));
    return book;
  }

  /**
   * @param {string} rewardId
   * @returns {KnownReward}
   */
  reward(rewardId) {
    return this.#rewards.get(rewardId) ?? NOTHING;
  }

  /** @param {string} eventId */
  hasSeen(eventId) {
    return this.#seen.has(eventId);
  }

  /**
   * What it tells is known from here on, so that nobody else does the same. Answer only after
   * `saved`: an answer must never be ahead of the disk.
   * @param {Entry} entry
   */
  record(entry) {
    this.#apply(entry);
    this.#ledger.append({ at: new Date().toISOString(), ...entry });
  }

  saved() {
    return this.#ledger.saved();
  }

  close() {
    return this.#ledger.close();
  }

  /** @param {Entry} entry */
  #apply(entry) {
    if (entry.kind === 'seen') {
      this.#seen.add(entry.eventId);
      return;
    }
    const known = this.reward(entry.rewardId);
    let { changedAt } = known;
    if (entry.kind !== 'reported' && entry.occurredAt > changedAt) changedAt = entry.occurredAt;
    if (entry.kind === 'restored') {
      // What a void had taken back can be given once more.
      const isGranted = known.isGranted && !known.isVoided;
      this.#rewards.set(entry.rewardId, { ...NOTHING, isGranted, changedAt });
      return;
    }
    this.#rewards.set(entry.rewardId, {
      isGranted: known.isGranted || entry.kind === 'granted',
      isVoided: known.isVoided || entry.kind === 'voided',
      isReported: known.isReported || entry.kind === 'reported',
      changedAt,
    });
  }
}
