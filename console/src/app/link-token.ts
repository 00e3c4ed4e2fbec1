import { useLocation } from '@tanstack/react-router';

/**
 * The fragment (#) of a printed or mailed link, which never reaches a server's log. Observed,
 * because a browser does not reload the page for another fragment.
 */
export const useLinkToken = (): string => useLocation({ select: ({ hash }) => hash });
