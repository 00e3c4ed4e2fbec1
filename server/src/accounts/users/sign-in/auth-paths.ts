/** Where the library's routes are. */
export const AUTH_PATH = '/console/auth';
/** Passes the address to the library, in a header that callers cannot send. */
export const ADDRESS_HEADER = 'x-goodword-address';
/** The id of the provider of OpenID Connect. */
export const OIDC_ID = 'oidc';
/** How long a link to a new password is valid. */
export const RESET_SECONDS = 60 * 60;
