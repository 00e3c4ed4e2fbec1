import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { When } from '../../ui/when.tsx';
import { type Application, isErased, stateOfApplication } from './states.ts';

interface ApplicationDialogProps {
  readonly application: Application;
  readonly programName: string;
  readonly onClose: () => void;
}

type Step = 'approve' | 'reject' | 'erase';

/** Everything an applicant wrote, and the possible actions. */
export function ApplicationDialog({ application, programName, onClose }: ApplicationDialogProps) {
  const project = useProject();
  const mayDecide = useMay('partners:write');
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Step | null>(null);
  const name = application.name ?? 'this applicant';
  const isPending = application.status === 'pending';
  const isVerified = application.emailVerifiedAt !== null;
  const path = { partnerRequestId: application.id };
  const done = (message: string) => {
    for (const key of ['partner-applications', 'attention', 'participants']) {
      void queryClient.invalidateQueries({ queryKey: [key, project.id] });
    }
    void queryClient.invalidateQueries({ queryKey: ['partners', project.workspaceId] });
    notifyDone(message);
  };
  const approve = () =>
    answerOf(
      api.POST('/v1/partner-applications/{partnerRequestId}/approve', {
        params: { path },
        body: { projectId: project.id },
      }),
    );
  const reject = (reason: string) =>
    answerOf(
      api.POST('/v1/partner-applications/{partnerRequestId}/reject', {
        params: { path },
        body: { projectId: project.id, reason: reason || null },
      }),
    );
  const erase = () =>
    answerOf(
      api.DELETE('/v1/partner-applications/{partnerRequestId}', {
        params: { path, query: { projectId: project.id } },
      }),
    );
  const mayErase = mayDecide && application.status !== 'approved' && !isErased(application);
  const state = stateOfApplication(application);
  return (
    <>
      <Modal
        opened={asked === null}
        onClose={onClose}
        title={application.name ?? 'Erased applicant'}
        size="lg"
      >
        <Stack>
          <Group gap="sm">
            <StatusBadge tone={state.tone} label={state.label} />
            <Text size="sm">{state.explanation}</Text>
          </Group>
          <Facts
            rows={[
              ['Program', programName],
              ['E-mail', application.email],
              [
                'Verified',
                <When key="verified" at={application.emailVerifiedAt} fallback="Not yet" />,
              ],
              ['Applies as', application.profileType === 'company' ? 'A company' : 'A person'],
              application.companyName ? ['Company', application.companyName] : undefined,
              ['Country', application.country],
              ['Website', application.website],
              ['Applied', <When key="at" at={application.createdAt} />],
              application.decidedAt
                ? ['Decided', <When key="decided" at={application.decidedAt} />]
                : undefined,
              application.rejectionReason ? ['Reason', application.rejectionReason] : undefined,
              application.participantId
                ? [
                    'Participant',
                    <ThingLink key="par" type="participant" id={application.participantId} />,
                  ]
                : undefined,
            ]}
          />
          {application.message && <blockquote className="quote">{application.message}</blockquote>}
          {isPending && !isVerified && application.verificationUrl && (
            <Alert color="orange" variant="light" title="No mail was sent">
              <Text size="sm">
                This service has no mail server, so send this link to them yourself. Opening it
                proves that the address is theirs.
              </Text>
              <IdText value={application.verificationUrl} label="link" />
            </Alert>
          )}
          <Group justify="flex-end">
            {mayErase && (
              <Button variant="subtle" color="red" onClick={() => setAsked('erase')}>
                Erase
              </Button>
            )}
            {mayDecide && isPending && (
              <>
                <Button variant="default" onClick={() => setAsked('reject')}>
                  Reject
                </Button>
                <Button disabled={!isVerified} onClick={() => setAsked('approve')}>
                  Approve
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </Modal>
      <Confirm
        opened={asked === 'approve'}
        onClose={() => setAsked(null)}
        title={`Approve ${name}?`}
        action="Approve"
        onConfirm={approve}
        onDone={() => done(`${name} is a partner now.`)}
      >
        <p>
          They become a partner and join {programName} with one code and one link. From then on they
          earn by what these bring.
        </p>
        <p>A partner can be suspended later, but not turned into an applicant again.</p>
      </Confirm>
      <Confirm
        opened={asked === 'reject'}
        onClose={() => setAsked(null)}
        title={`Reject ${name}?`}
        action="Reject"
        isDangerous
        reason={{ label: 'Reason, for your own records' }}
        onConfirm={reject}
        onDone={() => done('Rejected.')}
      >
        One application to {programName} is turned down. This cannot be undone; they may apply
        again.
      </Confirm>
      <Confirm
        opened={asked === 'erase'}
        onClose={() => setAsked(null)}
        title={`Erase what ${name} wrote?`}
        action="Erase for good"
        isDangerous
        onConfirm={erase}
        onDone={() => done('Erased.')}
      >
        The name, e-mail, website and message of this application are deleted permanently
        {isPending ? ', and it is withdrawn' : ''}. Its id and the decision stay.
      </Confirm>
    </>
  );
}
