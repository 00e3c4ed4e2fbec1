/** Where the service serves the console; addresses inside the console omit it. */
export const BASE_PATH = '/console';
