import type { Reward, Start } from './api-types.ts';
import type { Model } from './model.ts';

/** The link to the payout details: prominent if a reward waits for them, subtle otherwise. */
export function PayoutCard(props: { model: Model; start: Start; rewards: readonly Reward[] }) {
  const { model, start } = props;
  const { texts } = model.language;
  let action: Reward['action'] = null;
  for (const reward of start.payout.editable ? props.rewards : []) {
    if (reward.action && reward.action !== 'contact_support') action = reward.action;
  }
  if (action === null && !start.payout.required) return null;
  const [title, hint] =
    action === 'add_payout_method'
      ? [texts.add, texts.addHint]
      : action === 'update_payout_method'
        ? [texts.update, texts.updateHint]
        : [texts.payout, texts.payoutHint];
  return (
    <button
      type="button"
      class={`payout ${action ? 'loud' : ''}`}
      onClick={() => model.showPayout()}
    >
      <b>{title}</b>
      <span>{hint}</span>
    </button>
  );
}
