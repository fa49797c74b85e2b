import { VENDOR_FORMS } from "@tollgate/vendors/slim/forms";

const FORMS = Object.entries(VENDOR_FORMS).map(([type, form]) => ({ type: Number(type), form }));

const hostOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).host : undefined;

/** The vendor that answers at an address by itself; undefined for every other one. */
const vendorAt = (address: string): number | undefined => {
  const host = hostOf(address);
  return FORMS.find(({ form }) => host !== undefined && host === hostOf(form.baseUrl))?.type;
};

/**
 * Whose key it may be, by the address that it was given with, else by what it looks like.
 * @returns channel types; none where nothing tells, several where the keys of several vendors look so.
 */
export const guessVendors = (key: string, address: string): number[] => {
  if (address !== "") {
    const type = vendorAt(address) ?? FORMS.find(({ form }) => form.category === "custom")?.type;
    return type === undefined ? [] : [type];
  }
  const [first = ""] = key.startsWith("{") ? [key] : key.split("\n");
  return FORMS.filter(({ form }) => form.keyShape !== undefined && new RegExp(form.keyShape).test(first)).map(
    ({ type }) => type,
  );
};

/** The address that a channel of this type is saved with: none where the vendor answers there by itself. */
export const addressFor = (type: number, address: string): string =>
  vendorAt(address) === type ? "" : address;
