/*
 * Upstreams name the model of an answer in their own spelling. A name that only spells out the same model is no
 * difference; a different size, variant or snapshot is one.
 */

/** Vendor in front of a name on Amazon Bedrock, with its region: "us.anthropic.claude-sonnet-4". */
const DOTTED_VENDOR = /^(?:[a-z]{2,6}\.)?[a-z]+[a-z0-9]*\.(?=[a-z])/;
/** Revision on Amazon Bedrock: "-v1:0". */
const REVISION = /-v\d+(?::\d+)?$/;
/** Marks of routers that do not change the model. */
const ROUTE_MARK = /:(?:free|latest|beta|nitro|floor|online|exacto|extended)$/;

/** The name in one spelling: without its path, vendor and revision, in small letters with one separator. */
const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/^.*\//s, "")
    .replace(ROUTE_MARK, "")
    .replace(REVISION, "")
    .replace(DOTTED_VENDOR, "")
    .replaceAll(/[._@\s]/g, "-")
    .replace(/-latest$/, "");

const DATE = String.raw`(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{2}-\d{4}|\d{2}-\d{2}|00\d)`;
/** The snapshot that a family's name stands for: "-2024-08-06", "-0613", "-preview-05-06", "-002". */
const SNAPSHOT = new RegExp(`^-(?:preview-|exp-)?${DATE}(?:-preview)?$`);

const isSnapshotOf = (longer: string, family: string): boolean =>
  longer.startsWith(family) && SNAPSHOT.test(longer.slice(family.length));

/**
 * Whether an answer names the model that its upstream was asked for.
 * @param sent the name sent upstream, after the channel's mapping. @param served the name in the answer.
 */
export const isSameModel = (sent: string, served: string): boolean => {
  if (sent === served) return true;
  const [asked, answered] = [plainName(sent), plainName(served)];
  return asked === answered || isSnapshotOf(answered, asked) || isSnapshotOf(asked, answered);
};
