/** The day and the month of a moment, by the server's clock. All are milliseconds since the epoch. */
export interface Calendar {
  dayStartMs: number;
  dayEndMs: number;
  monthStartMs: number;
  monthEndMs: number;
}

export const calendarAt = (nowMs: number): Calendar => {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return {
    dayStartMs: new Date(year, month, day).getTime(),
    dayEndMs: new Date(year, month, day + 1).getTime(),
    monthStartMs: new Date(year, month, 1).getTime(),
    monthEndMs: new Date(year, month + 1, 1).getTime(),
  };
};
