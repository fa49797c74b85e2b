import { VENDOR_FORMS } from "@tollgate/vendors/slim/forms";

const FORMS = Object.entries(VENDOR_FORMS).map(([type, form]) => ({ type: Number(type), form }));

const hostOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).host : undefined;

/** The vendor with this address as its default; undefined for any other. */
const vendorAt = (address: string): number | undefined => {
  const host = hostOf(address);
  return FORMS.find(({ form }) => host !== undefined && host === hostOf(form.baseUrl))?.type;
};

/**
 * Guesses the vendor of a key, by the address given with it, else by the key's format.
 * @returns channel types; none if unknown, several if the keys of several vendors share the format.
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

/** The address to save for a channel of this type: empty if it is the vendor's default. */
export const addressFor = (type: number, address: string): string =>
  vendorAt(address) === type ? "" : address;
