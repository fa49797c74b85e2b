import type { KeyForms, KeyParts, Vendor } from "@tollgate/vendors/define-vendor";
import { readServiceAccount } from "./service-account";

const cut = (separator: KeyForms["separator"], key: string): readonly string[] => {
  switch (separator) {
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

/** The parts of a channel's key; undefined when it matches none of its vendor's key formats. */
export const readKeyParts = ({ keyForms }: Vendor, key: string): KeyParts | undefined => {
  if (keyForms === undefined) return key === "" ? undefined : { key };
  const texts = cut(keyForms.separator, key);
  if (texts.some((text) => text === "")) return undefined;
  const form = keyForms.forms.find(({ parts }) => parts.length === texts.length);
  return form && Object.fromEntries(form.parts.map((part, index) => [part, texts[index]]));
};
