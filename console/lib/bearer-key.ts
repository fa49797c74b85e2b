/** The key as a program sends it. */
export const bearerKey = (key: string): string => (key.startsWith("sk-") ? key : `sk-${key}`);
