/**
 * The form in which an address is stored and compared: providers deliver to a mailbox in either case. Letters of ASCII alone, as
 * the engines of storage fold them.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
