import type { Vendor } from "../define-vendor";
import { VENDORS } from "../vendors";
import type { VendorForm } from "./vendor-card";

const formOf = (vendor: Vendor): VendorForm => {
  const { category, baseUrl, baseUrlField, keyShape, keyForms, other, models } = vendor;
  return {
    category,
    baseUrl,
    baseUrlField,
    keyShape: keyShape?.source,
    keyFormat: keyForms?.forms.find(({ isHint }) => isHint)?.text,
    keyDocument: keyForms?.separator === "service-account" ? keyForms.separator : undefined,
    other,
    models: models.length === 0 ? undefined : models,
  };
};

export const VENDOR_FORMS: Readonly<Record<number, VendorForm>> = Object.fromEntries(
  VENDORS.map((vendor) => [vendor.type, formOf(vendor)]),
);
