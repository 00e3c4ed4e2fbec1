/** As it was when the script was loaded, whatever the page puts in its place later. */
export const fetch = window.fetch.bind(window);
