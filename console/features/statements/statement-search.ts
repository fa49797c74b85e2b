const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** The statement page's state in the address. */
export interface StatementSearch {
  /** YYYY-MM; this month by default. */
  month?: string;
  username?: string;
}

/** Reads the state from the address; invalid values are left out. */
export const readStatementSearch = ({ month, username }: Record<string, unknown>): StatementSearch => ({
  month: typeof month === "string" && MONTH.test(month) ? month : undefined,
  username: typeof username === "string" && username !== "" ? username : undefined,
});

const two = (value: number): string => String(value).padStart(2, "0");

/** The month of a moment, by this clock. */
export const monthOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}`;

const beginOf = (month: string, later: number): Date => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(year, number - 1 + later, 1);
};

/** The month `count` months after this one. */
export const monthAfter = (month: string, count: number): string => monthOf(beginOf(month, count));

/** Number of offered months. */
const OFFERED = 24;

/** The months up to this one, newest first, always including the chosen one. */
export const lastMonths = (chosen: string, newest: string): string[] => {
  const offered = Array.from({ length: OFFERED }, (_, ago) => monthAfter(newest, -ago));
  return [...new Set([...offered, chosen])].sort().reverse();
};

/** This clock's offset from UTC at the start of the month, including summer time. */
export const offsetAtBegin = (month: string): number => 0 - beginOf(month, 0).getTimezoneOffset();
