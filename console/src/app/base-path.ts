/** Where the service serves the console; addresses inside of it are told without. */
export const BASE_PATH = '/console';
