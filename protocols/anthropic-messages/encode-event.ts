/** An event of a Messages stream: its name is repeated in its data. */
export const encodeEvent = (type: string, fields: Record<string, unknown>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
