import type { NoticeOutcomeWire } from "@tollgate/contract/api/notices";
import type { TFunction } from "i18next";

const FAULTS = [
  "unreachable",
  "status",
  "refused",
  "later",
  "unreadable",
  "mail-failed",
  "no-address",
  "way-gone",
  "too-many",
  "too-old",
] as const;

/** Reason that a notice did not arrive; "" if it did. An unknown fault of a later version is shown by its raw name. */
export const faultText = (t: TFunction, { fault, status, detail }: NoticeOutcomeWire): string => {
  if (fault === "") return "";
  const known = FAULTS.find((each) => each === fault);
  return known ? t(`notice.fault.${known}`, { status, detail }) : fault;
};
