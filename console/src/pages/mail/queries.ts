import { queryOptions } from '@tanstack/react-query';
import { type Answer, answerOf, api, type Body, type Row } from '../../api/client.ts';

export type MailSettings = Answer<'/v1/projects/{projectId}/mail-settings'>['data'];
export type ProgramMail = Answer<'/v1/programs/{programId}/mail-settings'>['data'];
export type MailKind = ProgramMail['kinds'][number];
export type TeamKind = MailSettings['teamKinds'][number];
export type Language = MailSettings['language'];
export type MailRow = Row<'/v1/mails'>;
export type KindText = NonNullable<Body<'/v1/programs/{programId}/mail-previews'>['text']>;

export const mailKey = (projectId: string) => ['mail', projectId] as const;

export const settingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...mailKey(projectId), 'settings'],
    queryFn: async ({ signal }) => {
      const params = { path: { projectId } };
      return (await answerOf(api.GET('/v1/projects/{projectId}/mail-settings', { params, signal })))
        .data;
    },
  });

export const programMailQuery = (projectId: string, programId: string) =>
  queryOptions({
    queryKey: [...mailKey(projectId), 'program', programId],
    queryFn: async ({ signal }) => {
      const params = { path: { programId }, query: { projectId } };
      return (await answerOf(api.GET('/v1/programs/{programId}/mail-settings', { params, signal })))
        .data;
    },
  });

/** A mail with a text that may not be saved yet; null for the saved or the default one. */
export const previewQuery = (
  { projectId, programId }: { readonly projectId: string; readonly programId: string },
  asked: { readonly kind: MailKind; readonly language: Language; readonly text: KindText | null },
) =>
  queryOptions({
    queryKey: [...mailKey(projectId), 'preview', programId, asked],
    queryFn: async ({ signal }) => {
      const params = { path: { programId } };
      const body = { projectId, ...asked };
      return (
        await answerOf(api.POST('/v1/programs/{programId}/mail-previews', { params, body, signal }))
      ).data;
    },
    retry: false,
  });
