import { useLocation } from '@tanstack/react-router';

/**
 * What stands behind the # of a link that was printed or mailed: it never reaches a server's log.
 * Followed as it changes, since a browser does not load the page again for another one.
 */
export const useLinkToken = (): string => useLocation({ select: ({ hash }) => hash });
