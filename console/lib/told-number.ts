/** A number that an answer tells; undefined where it tells something else, as other servers may. */
export const toldNumber = (data: unknown): number | undefined => {
  const value = typeof data === "string" && data.trim() !== "" ? Number(data) : data;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};
