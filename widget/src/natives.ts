/** The original, saved when the script loads, in case the page replaces it later. */
export const fetch = window.fetch.bind(window);
