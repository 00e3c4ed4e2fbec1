import { answerOf, api } from '../../api/client.ts';
import type { RewardAction, VoidReason } from './reward-actions.ts';

/** The input; only the fields of the action are used. */
export interface ActionInput {
  readonly externalReference: string;
  readonly reasonCode: VoidReason;
  readonly reason: string;
}

/** Applies the action to one reward. A repeat with the same input changes nothing. */
export async function perform(
  projectId: string,
  action: RewardAction,
  rewardId: string,
  { externalReference, reasonCode, reason }: ActionInput,
): Promise<void> {
  const params = { path: { rewardId } };
  switch (action) {
    case 'grant':
      await answerOf(
        api.POST('/v1/rewards/{rewardId}/fulfillment', {
          params,
          body: { projectId, externalReference },
        }),
      );
      return;
    case 'revoke':
      await answerOf(
        api.POST('/v1/rewards/{rewardId}/revocation', {
          params,
          body: { projectId, externalReference },
        }),
      );
      return;
    case 'void':
      await answerOf(
        api.POST('/v1/rewards/{rewardId}/void', {
          params,
          body: { projectId, reasonCode, ...(reason ? { reason } : {}) },
        }),
      );
      return;
    case 'retry':
      await answerOf(api.POST('/v1/rewards/{rewardId}/retry', { params, body: { projectId } }));
  }
}
