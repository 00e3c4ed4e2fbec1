import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import type { ApiKey } from './permissions.ts';

const GRACE = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'After an hour' },
  { value: '24', label: 'After a day' },
  { value: '72', label: 'After three days' },
  { value: '168', label: 'After a week' },
];

interface RotateKeyProps {
  /** Null while none is selected. */
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
  readonly onMade: (key: string) => Promise<void>;
}

/** Creates a key that replaces another. */
export function RotateKey({ apiKey, onClose, onMade }: RotateKeyProps) {
  const [hours, setHours] = useState('24');
  const { submit, isBusy, error } = useSubmit(async () => {
    if (!apiKey) return;
    const { key } = await answerOf(
      api.POST('/v1/api-keys/{keyId}/rotate', {
        params: { path: { keyId: apiKey.id } },
        body: { oldKeyEndsAfterHours: Number(hours) },
      }),
    );
    onClose();
    await onMade(key);
  });
  return (
    <Modal
      opened={apiKey !== null}
      onClose={onClose}
      title={`Rotate ${apiKey?.name ?? 'the key'}`}
      centered
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text size="sm">
            You get a new key with the same permissions. Both keys work until the old one expires,
            so your backend can switch without interruption.
          </Text>
          <Select
            label="The old key expires"
            data={GRACE}
            value={hours}
            onChange={(value) => value && setHours(value)}
            allowDeselect={false}
          />
          {error !== null && <ErrorState error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              Create a new key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <Confirm
      opened={apiKey !== null}
      onClose={onClose}
      title={`Revoke ${apiKey?.name ?? 'the key'}?`}
      action="Revoke it now"
      isDangerous
      onConfirm={async () => {
        if (!apiKey) return null;
        await answerOf(
          api.POST('/v1/api-keys/{keyId}/revoke', { params: { path: { keyId: apiKey.id } } }),
        );
        return apiKey;
      }}
      onDone={(revoked) => {
        if (!revoked) return;
        void queryClient.invalidateQueries({ queryKey: ['api-keys', revoked.workspaceId] });
        notifyDone(`${revoked.name} is revoked.`);
      }}
    >
      Every call with the key{' '}
      <code>
        {apiKey?.prefix}…{apiKey?.last4}
      </code>{' '}
      is refused within a second, and its open streams end. This cannot be undone. To change over
      without a gap, rotate it instead.
    </Confirm>
  );
}
