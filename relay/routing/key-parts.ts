import type { Vendor } from "@tollgate/vendors/define-vendor";
import { readServiceAccount } from "./service-account";

/** The parts of a channel's key: one, unless its vendor joins several. */
export const splitKey = ({ keyForms }: Vendor, key: string): string[] => {
  switch (keyForms?.separator) {
    case undefined:
      return [key];
    case "service-account":
      return key.startsWith("{") ? (readServiceAccount(key) ?? [""]) : [key];
    case "|":
      return key.split("|");
    case ".": {
      const at = key.indexOf(".");
      return at === -1 ? [key] : [key.slice(0, at), key.slice(at + 1)];
    }
  }
};

/** Whether a key has one of the forms that its vendor's keys have. */
export const isKeyWellFormed = (vendor: Vendor, key: string): boolean => {
  const { keyForms } = vendor;
  const parts = splitKey(vendor, key);
  if (parts.some((part) => part === "")) return false;
  return keyForms === undefined || keyForms.forms.some((form) => form.parts === parts.length);
};
