/** The part of a budget's extra quota that is left. */
export const extraLeft = (
  extra: number,
  { max, used }: { readonly max: number; readonly used: number },
): number => Math.max(0, Math.min(extra, max + extra - used));
