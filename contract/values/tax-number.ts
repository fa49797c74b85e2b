/*
 * Tax numbers of Chinese companies. Since 2015 it is the unified social credit number of 18 characters (GB 32100-2015)
 * with a check digit. Numbers of 15 and 20 characters are older; no check rule holds for all of them.
 */

/** The characters of the number in the order of their values; I, O, S, V and Z are left out. */
export const CREDIT_CHARACTERS = "0123456789ABCDEFGHJKLMNPQRTUWXY";

const CREDIT_FORM = /^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/;
const OLD_FORM = /^(?:[0-9A-Z]{15}|[0-9A-Z]{20})$/;

/** Returns the check digit of the first 17 characters of a unified social credit number. */
export const creditCheckDigit = (first: string): string => {
  let weight = 1;
  let sum = 0;
  for (const character of first) {
    sum += CREDIT_CHARACTERS.indexOf(character) * weight;
    weight = (weight * 3) % 31;
  }
  return CREDIT_CHARACTERS[(31 - (sum % 31)) % 31] ?? "";
};

/** A typed number as it is stored: people write it in groups, and in small letters. */
export const cleanTaxNumber = (typed: string): string => typed.replaceAll(/[\s-]/g, "").toUpperCase();

/** Whether a cleaned text is a unified social credit number with the right check digit. */
export const isCreditNumber = (number: string): boolean =>
  CREDIT_FORM.test(number) && creditCheckDigit(number.slice(0, 17)) === number[17];

/** Whether a cleaned text can be the tax number of a company. */
export const isTaxNumber = (number: string): boolean => isCreditNumber(number) || OLD_FORM.test(number);
