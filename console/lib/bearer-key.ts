/** What a program presents. */
export const bearerKey = (key: string): string => (key.startsWith("sk-") ? key : `sk-${key}`);
