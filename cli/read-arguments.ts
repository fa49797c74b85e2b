import { InvalidArgumentError } from "commander";

/** A whole number that a person typed, from 0 on. @throws InvalidArgumentError */
export const readWhole = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("It must be a whole number, from 0 on.");
  return value;
};

/** The number of a row. @throws InvalidArgumentError */
export const readId = (text: string): number => {
  const value = readWhole(text);
  if (value === 0) throw new InvalidArgumentError("Numbers begin at 1.");
  return value;
};

/** A moment, as ISO 8601 has it. @returns unix seconds. @throws InvalidArgumentError */
export const readMoment = (text: string): number => {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms) || ms <= 0)
    throw new InvalidArgumentError("It must be a moment like 2027-01-31 or 2027-01-31T12:00:00+08:00.");
  return Math.floor(ms / 1000);
};
