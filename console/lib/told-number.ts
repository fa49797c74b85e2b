/** A number in an answer; undefined for anything else, which other servers may send. */
export const toldNumber = (data: unknown): number | undefined => {
  const value = typeof data === "string" && data.trim() !== "" ? Number(data) : data;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};
