export function makeList(text: string, date: string): string;
